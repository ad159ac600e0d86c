/**
 * Rows on their way to the browser: each value once, each row as the places of its values. Rows of
 * a list repeat most of their values, and all of their field names.
 */
export type PackedRows<Row> = { fields: (keyof Row)[]; values: Row[keyof Row][]; rows: number[][] }

/** The rows have the same fields, and values that JSON can write. */
export function packRows<Row extends object>(rows: readonly Row[]): PackedRows<Row> {
  const fields = Object.keys(rows[0] ?? {}) as (keyof Row)[]
  const values: Row[keyof Row][] = []
  const places = new Map<string, number>()
  const toPlace = (value: Row[keyof Row]): number => {
    const text = JSON.stringify(value)
    const known = places.get(text)
    if (known !== undefined) return known
    places.set(text, values.length)
    return values.push(value) - 1
  }
  return { fields, values, rows: rows.map((row) => fields.map((field) => toPlace(row[field]))) }
}

export function unpackRows<Row extends object>({ fields, values, rows }: PackedRows<Row>): Row[] {
  return rows.map(
    (places) => Object.fromEntries(fields.map((field, at) => [field, values[places[at] as number]])) as Row,
  )
}
