/** A JSON value with every number as it is written. `text` is a text's content, a number's digits, or the word itself. */
export type JsonTree =
  | { kind: 'text' | 'number' | 'boolean' | 'null'; text: string }
  | { kind: 'list'; elements: JsonTree[] }
  | { kind: 'object'; members: Map<string, JsonTree> }

/**
 * Reads a stored record without losing a digit; of repeated keys the last one holds (assumption 32). It is meant for
 * payloads that the database has checked already. Throws SyntaxError on anything else than JSON.
 */
export function readJsonTree(text: string): JsonTree {
  const reader = createReader(text)
  const tree = reader.readValue()
  reader.expectEnd()
  return tree
}

const SPACE = /[ \n\r\t]*/y
const TEXT = /"(?:[^"\\]|\\.)*"/sy
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

function createReader(text: string) {
  let at = 0

  function match(pattern: RegExp): string | null {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return null
    at = pattern.lastIndex
    return found[0]
  }

  function take(mark: string): boolean {
    match(SPACE)
    if (text[at] !== mark) return false
    at += 1
    return true
  }

  function expect(mark: string): void {
    if (!take(mark)) throw broken()
  }

  function broken(): SyntaxError {
    return new SyntaxError(`JSON is broken at character ${at}`)
  }

  function readText(): string {
    match(SPACE)
    const quoted = match(TEXT)
    if (quoted === null) throw broken()
    return JSON.parse(quoted) as string
  }

  function readValue(): JsonTree {
    match(SPACE)
    if (text[at] === '"') return { kind: 'text', text: readText() }
    if (take('{')) return { kind: 'object', members: readMembers() }
    if (take('[')) return { kind: 'list', elements: readElements() }
    const word = match(WORD)
    if (word === null) throw broken()
    const kind = word === 'null' ? 'null' : word === 'true' || word === 'false' ? 'boolean' : 'number'
    return { kind, text: word }
  }

  function readMembers(): Map<string, JsonTree> {
    const members = new Map<string, JsonTree>()
    if (take('}')) return members
    do {
      const key = readText()
      expect(':')
      members.set(key, readValue())
    } while (take(','))
    expect('}')
    return members
  }

  function readElements(): JsonTree[] {
    const elements: JsonTree[] = []
    if (take(']')) return elements
    do elements.push(readValue())
    while (take(','))
    expect(']')
    return elements
  }

  return {
    readValue,
    expectEnd: () => {
      match(SPACE)
      if (at < text.length) throw broken()
    },
  }
}

/** One text for one content: keys sorted, no white space, numbers as written. */
export function writeJsonTree(tree: JsonTree): string {
  switch (tree.kind) {
    case 'text':
      return JSON.stringify(tree.text)
    case 'list':
      return `[${tree.elements.map(writeJsonTree).join(',')}]`
    case 'object':
      return `{${[...tree.members]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${JSON.stringify(key)}:${writeJsonTree(member)}`)
        .join(',')}}`
    default:
      return tree.text
  }
}
