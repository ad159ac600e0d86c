const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Lays JSON out over lines without reading its values: every string and number stays as it was
 * written, digit for digit. Text that is not JSON comes back with its tokens spaced anew, never
 * with one lost.
 */
export function indentJson(text: string): string {
  const tokens = text.match(TOKEN) ?? []
  let out = ''
  let depth = 0
  const newLine = () => `\n${'  '.repeat(Math.max(depth, 0))}`
  tokens.forEach((token, index) => {
    if (token === '{' || token === '[') {
      out += token
      depth += 1
      if (!isClose(tokens[index + 1])) out += newLine()
    } else if (isClose(token)) {
      depth -= 1
      if (tokens[index - 1] !== '{' && tokens[index - 1] !== '[') out += newLine()
      out += token
    } else if (token === ',') out += `,${newLine()}`
    else out += token === ':' ? ': ' : token
  })
  return out
}

function isClose(token: string | undefined): boolean {
  return token === '}' || token === ']'
}
