const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Formats JSON over lines without reading its values: every string and number stays as written,
 * digit for digit. Text that is not JSON keeps all its tokens; only their spacing changes.
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
