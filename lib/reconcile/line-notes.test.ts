import { expect, test } from 'vitest'
import { listLineNotes, type NotableLine } from './line-notes.ts'
import { type DecimalText, parseDecimal } from './money.ts'

const QUIET: NotableLine = {
  idWasMissing: false,
  invoiceMode: 'reseller',
  totalAmount: parseDecimal('10.00') as DecimalText,
  costCenter: 'Sales',
  unreadablePaths: [],
}

test('says nothing about an ordinary line', () => {
  expect(listLineNotes(QUIET)).toEqual([])
})

test('notes a credit note whose line is above zero, in any spelling of the mode', () => {
  expect(listLineNotes({ ...QUIET, invoiceMode: 'Credit-gross' })).toEqual(['credit_sign'])
  const negative = parseDecimal('-10.00') as DecimalText
  expect(listLineNotes({ ...QUIET, invoiceMode: 'credit-gross', totalAmount: negative })).toEqual([])
})

test('notes what is missing or could not be read', () => {
  const line = { ...QUIET, idWasMissing: true, costCenter: null, unreadablePaths: ['metadata.labels'] }
  expect(listLineNotes(line)).toEqual(['no_id', 'no_cost_center', 'unreadable_field'])
})
