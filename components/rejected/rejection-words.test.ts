import { expect, test } from 'vitest'
import { describeRejection } from './rejection-words.ts'

test.each([
  [
    'unit_price',
    'is not a decimal number: "148,50"',
    'Unit price "148,50" is not a number',
    'comma instead of point? 148.50',
  ],
  [
    'total_amount',
    'is not a decimal number: "1.166,20"',
    'Total "1.166,20" is not a number',
    'point and comma swapped? 1166.20',
  ],
  [
    'tax_amount',
    'is not a decimal number: "3.83 EUR"',
    'Tax amount "3.83 EUR" is not a number',
    'more than a number? 3.83',
  ],
  ['total_amount', 'is not a decimal number: "NaN"', 'Total "NaN" is not a number', null],
  ['tax_amount', 'is not a decimal number: "1,111…"', 'Tax amount "1,111…" is not a number', null],
  ['unit_price', 'is not a decimal number: an object', 'Unit price an object is not a number', null],
  [
    'expense_date',
    'is not a day of the form YYYY-MM-DD: "2026-02-30"',
    'Expense date "2026-02-30" is not a day',
    'the calendar has no such day',
  ],
  [
    'expense_date',
    'is not a day of the form YYYY-MM-DD: "04/11/26"',
    'Expense date "04/11/26" is not a day',
    'not written as year-month-day?',
  ],
  ['currency', 'is not a currency code of three letters: "Euro"', 'Currency "Euro" is not a currency code', null],
  ['quantity', 'is null', 'Quantity is empty', null],
  ['tax_regime', 'is missing', 'Tax regime is missing', null],
  [
    'metadata.trip_id',
    'is too long: the keys of the line have more than 2,704 bytes together',
    'Trip id is too long: the keys of the line have more than 2,704 bytes together',
    null,
  ],
])('says what is wrong with %s that %s, and what was probably meant', (path, said, wrong, fix) => {
  expect(describeRejection({ path, reason: `${path} ${said}` })).toMatchObject({ wrong, fix })
})

test('a record that is none says so in the importer’s words', () => {
  const reason = 'The record is not a JSON object'
  expect(describeRejection({ path: '', reason })).toEqual({ kind: 'other', wrong: reason, fix: null })
})
