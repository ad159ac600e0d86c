import { expect, test } from 'vitest'
import { isSummary, nameField } from './field-words.ts'

test.each([
  ['total_amount', 'total'],
  ['due_date', 'due date'],
  ['metadata.cost_center', 'cost center'],
  ['metadata.travelers[1].name', 'travelers 2, name'],
  ['taxes_summary[0].tax_percentage', 'taxes summary 1, tax rate'],
  ['lines.total', 'number of lines'],
  ['"odd key"', '"odd key"'],
])('calls %s %s', (path, name) => {
  expect(nameField({ path })).toBe(name)
})

test('knows which fields of an invoice only sum up its lines', () => {
  expect(['taxes_summary[0].total', 'lines.total', 'total', 'status'].filter((path) => isSummary({ path }))).toEqual([
    'taxes_summary[0].total',
    'lines.total',
  ])
})
