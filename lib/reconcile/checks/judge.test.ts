import { expect, test } from 'vitest'
import { proveLine } from '../line-proof.ts'
import type { DecimalText } from '../money.ts'
import { explainLine } from '../reasons/explain-line.ts'
import { proposeHabit } from '../reasons/propose-habit.ts'
import type { CheckSetting, CheckSettings } from './checks.ts'
import { judgeInvoice, judgeLine, toIssuerKey } from './judge.ts'

const decimal = (text: string) => text as DecimalText
const set = (level: CheckSetting['level'], tolerance: Record<string, string> = {}) =>
  ({ level, tolerance }) as CheckSetting

const LINES: [string, CheckSettings, [string, string, string], findings: string[], notes: string[]][] = [
  ['without settings everything that fails counts', {}, ['0.01', '-0.02', 'EUR'], ['total', 'tax'], []],
  ['what does not fail is neither', { line_total: set('note') }, ['0.00', '0', 'EUR'], [], []],
  ['a check that only notes', { line_tax: set('note') }, ['0.01', '-0.02', 'EUR'], ['total'], ['tax']],
  ['a check that is off', { line_tax: set('off') }, ['0.01', '-0.02', 'EUR'], ['total'], []],
  ['up to its tolerance', { line_total: set('finding', { EUR: '0.01' }) }, ['-0.010', '0', 'EUR'], [], ['total']],
  ['above its tolerance', { line_total: set('finding', { EUR: '0.01' }) }, ['-0.011', '0', 'EUR'], ['total'], []],
  ['in another currency', { line_total: set('finding', { EUR: '0.01' }) }, ['0.01', '0', 'GBP'], ['total'], []],
  [
    'above the tolerance of a check that only notes',
    { line_total: set('note', { EUR: '0.01' }) },
    ['5', '0', 'EUR'],
    [],
    ['total'],
  ],
  ['a tolerance of what is off anyway', { line_total: set('off', { EUR: '0.01' }) }, ['0.01', '0', 'EUR'], [], []],
]

test.each(LINES)('a line is judged: %s', (_title, checks, [difference, taxDifference, currency], findings, notes) => {
  const line = { currency, difference: decimal(difference), taxDifference: decimal(taxDifference) }
  expect(judgeLine(line, checks)).toEqual({ findings, notes })
})

test('an invoice’s findings are judged by their own settings and never by those of lines', () => {
  const found = [
    { code: 'total' as const, amount: decimal('-0.02') },
    { code: 'lines_missing' as const, amount: null },
    { code: 'due_before_issued' as const, amount: null },
  ]
  const checks: CheckSettings = {
    line_total: set('off'),
    invoice_total: set('finding', { EUR: '0.05' }),
    invoice_due_before_issued: set('off'),
  }
  expect(judgeInvoice('EUR', found, checks)).toEqual({ findings: [found[1]], notes: [found[0]] })
  expect(judgeInvoice('GBP', found, checks)).toEqual({ findings: [found[0], found[1]], notes: [] })
  const noting: CheckSettings = { ...checks, invoice_total: set('note', { EUR: '0.01' }) }
  expect(judgeInvoice('EUR', found, noting)).toEqual({ findings: [found[1]], notes: [found[0]] })
})

test('an issuer is the same at 19 and at 19.00 %, and another one in another mode', () => {
  const issuer = { profileId: 'p', invoiceMode: null, taxRegime: 'VAT', taxPercentage: decimal('19.00') }
  expect(toIssuerKey({ ...issuer, taxPercentage: decimal('19') })).toBe(toIssuerKey(issuer))
  expect(toIssuerKey({ ...issuer, taxPercentage: decimal('190') })).not.toBe(toIssuerKey(issuer))
  expect(toIssuerKey({ ...issuer, invoiceMode: 'null' })).not.toBe(toIssuerKey(issuer))
})

// decision 019's example, 2 x 120.50 at 19 %: the tax is 45.79 per line, 45.80 per unit, 45.78 cut
// off per unit
const LINE = {
  currency: 'EUR',
  invoiceMode: null,
  quantity: decimal('2'),
  unitPrice: decimal('120.50'),
  nonTaxableUnitPrice: decimal('0'),
  taxPercentage: decimal('19'),
  taxAmount: decimal('45.80'),
  totalAmount: decimal('286.80'),
}

test('an established habit settles between rivals, and is the only reason then', () => {
  const proof = proveLine(LINE)
  const explain = (tax?: Parameters<typeof explainLine>[2]) => explainLine(LINE, proof, tax)
  expect(explain()).toEqual([
    { code: 'tax', isExplained: false, conventions: ['tax_per_unit', 'tax_per_unit_half_even'] },
  ])
  expect(explain({ tax: 'tax_per_unit' })).toEqual([{ code: 'tax', isExplained: true, conventions: ['tax_per_unit'] }])
  expect(explain({ total: 'total_per_unit' })).toEqual(explain())
})

test('a line that breaks its issuer’s habit is unexplained, also where it had a reason without one', () => {
  // the price holds its tax: 238.00 at 19 % holds 38.00
  const gross = { ...LINE, quantity: decimal('1'), unitPrice: decimal('238.00'), taxAmount: decimal('38.00') }
  const line = { ...gross, totalAmount: decimal('238.00') }
  const outcomes = (habit?: Parameters<typeof explainLine>[2]) =>
    explainLine(line, proveLine(line), habit).map(({ code, isExplained }) => [code, isExplained])
  expect(outcomes()).toEqual([
    ['total', true],
    ['tax', true],
  ])
  expect(outcomes({ tax: 'tax_per_unit' })).toEqual([
    ['total', true],
    ['tax', false],
  ])
})

test.each([
  ['it fits three lines and nine of ten', 'tax', 10, { tax_per_unit: 9, tax_truncated: 2 }, 'tax_per_unit', []],
  ['fewer than nine of ten', 'tax', 11, { tax_per_unit: 9 }, null, []],
  ['fewer than three lines', 'tax', 2, { tax_per_unit: 2 }, null, []],
  [
    'another that fits as many is a rival',
    'tax',
    3,
    { tax_half_even: 3, tax_per_unit: 3 },
    'tax_half_even',
    ['tax_per_unit'],
  ],
  ['what speaks of the total is none of the tax’s', 'tax', 3, { total_truncated: 3 }, null, []],
  ['and the other way round', 'total', 3, { total_truncated: 3, tax_truncated: 3 }, 'total_truncated', []],
  ['nothing fits', 'total', 3, {}, null, []],
] as const)('a habit is proposed: %s', (_title, code, lineCount, fits, convention, rivals) => {
  const proposal = proposeHabit({ code, lineCount, fits })
  expect(proposal?.convention ?? null).toBe(convention)
  expect(proposal?.rivals ?? []).toEqual(rivals)
})
