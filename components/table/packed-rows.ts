/**
 * Rows on their way to the browser: each value once, and for each cell a word that says which.
 * Rows of a list repeat most of their values, often those of the row above, and all field names.
 */
export type PackedRows<Row> = { fields: (keyof Row)[]; values: Row[keyof Row][]; cells: string }

/** The next value that no cell had before. Nothing: the value of the row above. Else its place. */
const NEXT = '.'
const RADIX = 36

/** The rows have the same fields, and values that JSON can write. */
export function packRows<Row extends object>(rows: readonly Row[]): PackedRows<Row> {
  const fields = Object.keys(rows[0] ?? {}) as (keyof Row)[]
  const values: Row[keyof Row][] = []
  const places = new Map<string, number>()
  const above: number[] = []
  const toWord = (value: Row[keyof Row], at: number): string => {
    const text = JSON.stringify(value)
    const place = places.get(text) ?? values.length
    const word = place === above[at] ? '' : place === values.length ? NEXT : place.toString(RADIX)
    if (place === values.length) places.set(text, values.push(value) - 1)
    above[at] = place
    return word
  }
  return { fields, values, cells: rows.flatMap((row) => fields.map((field, at) => toWord(row[field], at))).join() }
}

export function unpackRows<Row extends object>({ fields, values, cells }: PackedRows<Row>): Row[] {
  const words = fields.length === 0 ? [] : cells.split(',')
  const rows: Row[] = []
  let used = 0
  for (let start = 0; start < words.length; start += fields.length) {
    const above = rows.at(-1)
    const toValue = (field: keyof Row, at: number) => {
      const word = words[start + at]
      if (word === NEXT) return values[used++]
      return word === '' ? above?.[field] : values[Number.parseInt(word ?? '', RADIX)]
    }
    rows.push(Object.fromEntries(fields.map((field, at) => [field, toValue(field, at)])) as Row)
  }
  return rows
}
