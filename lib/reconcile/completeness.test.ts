import { expect, test } from 'vitest'
import { type CompletenessInput, type HeldTaxes, proveCompleteness, type StatedTaxes } from './completeness.ts'
import type { DecimalText } from './money.ts'

const d = (text: string) => text as DecimalText
const held = (change: Partial<HeldTaxes> = {}): HeldTaxes => ({
  taxRegime: 'G-VAT-R',
  taxPercentage: d('19'),
  lineCount: 2,
  taxAmount: d('38.00'),
  total: d('238.00'),
  ...change,
})
const stated = (change: Partial<StatedTaxes> = {}): StatedTaxes => ({
  taxRegime: 'G-VAT-R',
  taxPercentage: d('19.00'),
  subtotal: d('200.00'),
  taxAmount: d('38.00'),
  total: d('238.00'),
  ...change,
})
const prove = (change: Partial<CompletenessInput> = {}) =>
  proveCompleteness({
    currency: 'EUR',
    total: d('238.00'),
    creditUsed: d('0.00'),
    statedLineCount: 2,
    statedTaxes: [stated()],
    heldTaxes: [held()],
    rejectedLineCount: 0,
    otherCurrencyLineCount: 0,
    ...change,
  })

test('an invoice whose count, total and taxes match its lines is complete', () => {
  expect(prove()).toMatchObject({
    verdict: 'complete',
    count: { outcome: 'agrees', stated: 2, held: 2 },
    total: { outcome: 'agrees', difference: '0.00' },
    taxes: { outcome: 'agrees' },
  })
})

test('what the invoice does not say is not provided, and never passes', () => {
  const proof = prove({ statedLineCount: null, creditUsed: null, statedTaxes: [] })
  expect(proof).toMatchObject({
    verdict: 'complete',
    count: { outcome: 'not_provided', stated: null },
    taxes: { outcome: 'not_provided', groups: [{ stated: null, difference: null, outcome: 'not_provided' }] },
  })
  const empty = prove({ total: d('0'), statedLineCount: null, statedTaxes: [], heldTaxes: [] })
  expect(empty.verdict).toBe('not_provided')
  expect(prove({ statedTaxes: [stated({ total: null, subtotal: null })] }).taxes.outcome).toBe('not_provided')
})

test('a difference of exactly the credit used is explained, with either sign; any other is not', () => {
  expect(prove({ total: d('188.00'), creditUsed: d('50.00') })).toMatchObject({
    verdict: 'explained',
    total: { outcome: 'explained', difference: '-50.00' },
  })
  expect(prove({ total: d('188.00'), creditUsed: d('-50.00') }).verdict).toBe('explained')
  expect(prove({ total: d('188.01'), creditUsed: d('50.00') })).toMatchObject({
    verdict: 'differs',
    total: { outcome: 'differs', difference: '-49.99' },
  })
  expect(prove({ total: d('188.00'), creditUsed: null }).verdict).toBe('differs')
  expect(prove({ total: d('288.00'), creditUsed: d('50.00') }).verdict).toBe('differs')
})

test('lines below the stated count are missing, whatever the sums', () => {
  expect(prove({ statedLineCount: 3 })).toMatchObject({ verdict: 'lines_missing', count: { stated: 3, held: 2 } })
  expect(prove({ heldTaxes: [], statedLineCount: null }).verdict).toBe('lines_missing')
  expect(prove({ statedLineCount: 1 }).verdict).toBe('differs')
})

test('a rejected line counts as held and as unproved', () => {
  const proof = prove({ statedLineCount: 3, rejectedLineCount: 1, total: d('250.00') })
  expect(proof).toMatchObject({ verdict: 'differs', count: { outcome: 'agrees', held: 3 }, rejectedLineCount: 1 })
  // its amount is in no sum: sums that agree would be a coincidence
  expect(prove({ statedLineCount: 3, rejectedLineCount: 1 }).verdict).toBe('differs')
})

test('compares taxes per regime and rate, and an agreeing total does not hide a difference', () => {
  const groups = [held(), held({ taxPercentage: d('7'), taxAmount: d('7'), total: d('107'), lineCount: 1 })]
  const summary = [
    stated({ total: d('240.00') }),
    stated({ taxPercentage: d('7.0'), taxAmount: d('7.00'), total: d('105.00') }),
  ]
  const proof = prove({ total: d('345.00'), statedLineCount: 3, heldTaxes: groups, statedTaxes: summary })
  expect(proof.verdict).toBe('differs')
  expect(proof.total.outcome).toBe('agrees')
  expect(proof.taxes.groups.map(({ outcome, difference }) => [outcome, difference])).toEqual([
    ['differs', '2.00'],
    ['differs', '-2.00'],
  ])
})

test('a regime that only one side has differs by its whole amount', () => {
  const proof = prove({ statedTaxes: [stated(), stated({ taxRegime: 'STAR', total: d('10.00') })] })
  expect(proof.taxes.groups[1]).toMatchObject({ taxRegime: 'STAR', outcome: 'differs', held: '0', difference: '10.00' })
  const other = prove({
    heldTaxes: [held(), held({ taxRegime: null, taxAmount: d('0'), total: d('0') })],
    statedLineCount: 4,
  })
  expect(other.verdict).toBe('complete')
})

test('tax that differs within line rounding is explained and leaves the invoice complete', () => {
  // assumption 19: 5912.63 at 19 % is 1123.3997, stated 1123.40
  const summary = (tax: string) => [stated({ taxAmount: d(tax) })]
  expect(prove({ statedTaxes: summary('38.01') })).toMatchObject({
    verdict: 'complete',
    taxes: { outcome: 'explained' },
  })
  expect(prove({ statedTaxes: summary('38.02') })).toMatchObject({ verdict: 'differs', taxes: { outcome: 'differs' } })
  const yen = { currency: 'JPY', total: d('238'), heldTaxes: [held({ total: d('238'), taxAmount: d('38') })] }
  expect(prove({ ...yen, statedTaxes: [stated({ taxAmount: d('39'), total: d('238') })] }).taxes.outcome).toBe(
    'explained',
  )
  expect(prove({ ...yen, statedTaxes: [stated({ taxAmount: d('40'), total: d('238') })] }).taxes.outcome).toBe(
    'differs',
  )
})

test('compares a summary without regimes by rate', () => {
  const groups = [held(), held({ taxRegime: 'STAR', total: d('10.00'), taxAmount: d('0'), lineCount: 1 })]
  const summary = [stated({ taxRegime: null, total: d('248.00') })]
  expect(prove({ total: d('248.00'), statedLineCount: 3, heldTaxes: groups, statedTaxes: summary }).verdict).toBe(
    'complete',
  )
})

test('compares amounts of any precision by value', () => {
  expect(prove({ total: d('238.00000000'), statedTaxes: [stated({ total: d('238') })] }).verdict).toBe('complete')
  expect(prove({ total: d('238.00000001'), statedTaxes: [] }).verdict).toBe('differs')
})

test('lines with more decimals than the total are rounded once, as a sum', () => {
  const lines = (total: string) => [held({ total: d(total), taxAmount: d('38.00') })]
  expect(prove({ heldTaxes: lines('238.00345678'), statedTaxes: [] })).toMatchObject({
    verdict: 'complete',
    total: { held: '238.00345678', difference: '0.00' },
  })
  expect(prove({ heldTaxes: lines('238.005'), statedTaxes: [] })).toMatchObject({
    verdict: 'differs',
    total: { difference: '-0.01' },
  })
})

test('lines in another currency are in no sum and keep the invoice from being complete', () => {
  expect(prove({ statedLineCount: 3, otherCurrencyLineCount: 1 })).toMatchObject({
    verdict: 'differs',
    count: { outcome: 'agrees', held: 3 },
  })
})
