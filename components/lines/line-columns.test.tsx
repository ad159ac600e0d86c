import { expect, test } from 'vitest'
import { toLineRowColumns } from '#lib/ledger/fields/line-column-fields.ts'
import { STORED_LINE_FIELDS } from '#lib/ledger/fields/line-fields.ts'
import { LINE_COLUMN_NAMES, OWN_LINE_COLUMNS } from '#lib/ledger/query/line-columns.ts'
import { LINE_COLUMNS } from './line-columns.tsx'

test('the list draws the columns that an address can name, its own ones first', () => {
  const drawn = LINE_COLUMNS.filter(({ meta }) => meta?.isFixed !== true)
  expect(drawn.map(({ id }) => id)).toEqual(LINE_COLUMN_NAMES)
  expect(drawn.filter(({ meta }) => meta?.isFurther !== true).map(({ id }) => id)).toEqual(OWN_LINE_COLUMNS)
})

test('every stored field of a line is read by some column, and only where that is asked for', () => {
  const all = toLineRowColumns(LINE_COLUMN_NAMES.map((name) => ({ name })))
  const fields = Object.keys(STORED_LINE_FIELDS).filter((field) => !all.includes(`"${field}"`))
  expect(fields).toEqual([])
  expect(toLineRowColumns([{ name: 'travelers' }])).toContain('"travelerNames"')
  expect(toLineRowColumns([])).not.toContain('"travelerNames"')
})
