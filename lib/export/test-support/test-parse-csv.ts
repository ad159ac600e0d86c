/** An independent CSV reader for tests: character by character, after RFC 4180, section 2. */
export function parseCsvStrictly(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let state: 'start' | 'plain' | 'quoted' | 'after-quote' = 'start'
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (state === 'quoted') {
      if (char === '"') state = 'after-quote'
      else cell += char
      continue
    }
    if (char === '"') {
      if (state === 'plain') throw new Error(`A quote inside a plain cell at ${at}`)
      if (state === 'after-quote') cell += '"'
      state = 'quoted'
      continue
    }
    const isLineEnd = char === '\r' && text[at + 1] === '\n'
    if (char === ',' || isLineEnd) {
      row.push(cell)
      cell = ''
      state = 'start'
      if (!isLineEnd) continue
      rows.push(row)
      row = []
      at += 1
      continue
    }
    if (state === 'after-quote') throw new Error(`Text after a quoted cell at ${at}`)
    if (char === '\r' || char === '\n') throw new Error(`A bare line break at ${at}`)
    cell += char
    state = 'plain'
  }
  if (cell !== '' || row.length > 0 || state !== 'start') throw new Error('The last row has no line end')
  return rows
}

/** The rows by header name. Throws when a row is longer or shorter than the header. */
export function parseCsvRecords(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsvStrictly(text)
  return rows.map((row) => {
    if (row.length !== header.length) throw new Error(`${row.length} cells under ${header.length} headers`)
    return Object.fromEntries(header.map((name, index) => [name, row[index] as string]))
  })
}

/** A whole stream as text. */
export function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
}
