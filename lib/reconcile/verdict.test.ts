import { expect, test } from 'vitest'
import type { InvoiceFinding } from './invoice-finding.ts'
import type { DecimalText } from './money.ts'
import { LINE_CASES, toJudgedLine } from './test-support/test-verdicts.ts'
import { addCounts, type JudgedInvoice, STATES, type State, type StateCounts, stateOf, worstOf } from './verdict.ts'

test.each(LINE_CASES)('a line: $name is $state', (line) => {
  expect(stateOf({ line: toJudgedLine(line) })).toBe(line.state)
})

const found = (...codes: InvoiceFinding['code'][]) => codes.map((code): InvoiceFinding => ({ code, amount: null }))
const INVOICES: [name: string, invoice: Partial<JudgedInvoice>, state: State][] = [
  ['one without a finding', {}, 'ties_out'],
  ['one whose credit is a term of its equation', { verdict: 'explained' }, 'ties_out'],
  ['a total that nothing explains', { findings: found('total') }, 'unexplained'],
  ['a total whose reason is named', { findings: found('total_explained') }, 'explained'],
  ['lines that have not come', { findings: found('lines_missing') }, 'unexplained'],
  ['a line that could not be read', { findings: found('not_imported') }, 'not_imported'],
  ['a line that could not be read, and a reason', { findings: found('not_imported', 'total_explained') }, 'explained'],
  ['a credit note with a positive total', { findings: found('credit_sign') }, 'note'],
  ['a total that rules only note', { notes: found('total'), unexplained: '5500' as DecimalText }, 'note'],
  ['a total that rules do not look at', { unexplained: '5500' as DecimalText }, 'note'],
  ['one that states nothing', { verdict: 'not_provided' }, 'note'],
  ['one that is gone, whatever else', { isGone: true, findings: found('total', 'lines_missing') }, 'removed'],
]

test.each(INVOICES)('an invoice: %s', (_, invoice, state) => {
  const judged = {
    isGone: false,
    verdict: 'complete' as const,
    unexplained: '0' as DecimalText,
    findings: [],
    notes: [],
  }
  expect(stateOf({ invoice: { ...judged, ...invoice } })).toBe(state)
})

const PARENTS: [parts: StateCounts, state: State][] = [
  [{}, 'ties_out'],
  [{ ties_out: 12 }, 'ties_out'],
  [{ ties_out: 12, note: 1 }, 'note'],
  [{ note: 3, removed: 1 }, 'removed'],
  [{ removed: 3, not_imported: 1 }, 'not_imported'],
  [{ not_imported: 3, explained: 1 }, 'explained'],
  [{ explained: 99, unexplained: 1 }, 'unexplained'],
  [{ unexplained: 0, explained: 2 }, 'explained'],
]

test.each(PARENTS)('a group, a month or a currency with %j is %s', (parts, state) => {
  expect(stateOf({ parts })).toBe(state)
})

test('the worst of states is the first of their order, and counts add up state by state', () => {
  expect(worstOf([])).toBe('ties_out')
  for (const [at, state] of STATES.entries()) expect(worstOf(STATES.slice(at).reverse())).toBe(state)
  expect(addCounts({ unexplained: 1, note: 2 }, { note: 3, removed: 1 })).toEqual({
    unexplained: 1,
    note: 5,
    removed: 1,
  })
})
