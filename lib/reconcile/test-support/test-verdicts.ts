/** Lines and their states, for the tests of both places that say them. */
import type { DecimalText } from '../money.ts'
import type { JudgedLine, State } from '../verdict.ts'

export type LineCase = {
  name: string
  state: State
  currency?: string
  difference?: string
  tax?: string
  findings?: string[]
  explained?: string[] | null
  reasons?: string[] | null
}

export const LINE_CASES: LineCase[] = [
  { name: 'one that adds up', state: 'ties_out' },
  { name: 'a cent', difference: '0.01', findings: ['total'], state: 'unexplained' },
  { name: 'a cent less, with a reason', difference: '-0.01', ...explained('total'), state: 'explained' },
  { name: 'less than a cent', difference: '0.00999999', findings: ['total'], state: 'note' },
  { name: 'less than a cent, with a reason', difference: '-0.00000001', ...explained('total'), state: 'note' },
  { name: 'less than a yen', currency: 'JPY', difference: '0.9', findings: ['total'], state: 'note' },
  { name: 'a yen', currency: 'JPY', difference: '-1', findings: ['total'], state: 'unexplained' },
  { name: 'a fils', currency: 'KWD', difference: '0.001', findings: ['total'], state: 'unexplained' },
  { name: 'less than a fils', currency: 'KWD', difference: '0.0009', findings: ['total'], state: 'note' },
  {
    name: 'the smallest unit of four decimals',
    currency: 'CLF',
    tax: '0.0001',
    findings: ['tax'],
    state: 'unexplained',
  },
  {
    name: 'nobody has looked for a reason',
    difference: '27',
    findings: ['total'],
    explained: null,
    state: 'unexplained',
  },
  {
    name: 'one of two has a reason',
    difference: '110',
    tax: '-3',
    ...explained('tax'),
    findings: ['total', 'tax'],
    state: 'unexplained',
  },
  {
    name: 'one of two is below a cent',
    difference: '0.004',
    tax: '-0.03',
    ...explained('tax'),
    findings: ['total', 'tax'],
    state: 'explained',
  },
  {
    name: 'total and tax that cancel',
    currency: 'GBP',
    difference: '-1.00',
    tax: '1.00',
    findings: ['total', 'tax'],
    state: 'unexplained',
  },
  {
    name: 'the sign of a credit document',
    difference: '310.30',
    tax: '-43.44',
    ...explained('total', 'tax'),
    reasons: ['credit_sign'],
    state: 'note',
  },
  {
    name: 'a sign that may be chance',
    difference: '310.30',
    findings: ['total'],
    reasons: ['credit_sign'],
    state: 'unexplained',
  },
  { name: 'a check that is off or only noted', difference: '27', state: 'ties_out' },
  { name: 'a finding of a kind that is new', findings: ['weather'], explained: ['weather'], state: 'unexplained' },
]

function explained(...codes: string[]) {
  return { findings: codes, explained: codes, reasons: ['tax_half_down'] }
}

export function toJudgedLine({ currency = 'EUR', difference = '0', tax = '0', ...line }: LineCase): JudgedLine {
  return {
    currency,
    difference: difference as DecimalText,
    taxDifference: tax as DecimalText,
    findingCodes: line.findings ?? [],
    explainedCodes: line.explained === undefined ? [] : line.explained,
    reasonCodes: line.reasons === undefined ? [] : line.reasons,
  }
}
