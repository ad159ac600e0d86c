import { expect, test } from 'vitest'
import { makeRun } from '#components/connections/test-support/test-connection.ts'
import { describeRun } from './describe-run.ts'
import { describeProgress, describeResult, toPercent } from './run-words.ts'

const run = makeRun()

test.each([
  [{ received: 10, expected: 10 }, { received: 45, expected: 90 }, 55],
  [{ received: 10, expected: 10 }, { received: 89, expected: 90 }, 99],
  [{ received: 10, expected: 10 }, { received: 120, expected: 90 }, 100],
  [{ received: 0, expected: 0 }, { received: 0, expected: 0 }, 100],
  [{ received: 10, expected: 10 }, { received: 0, expected: null }, null],
])('never rounds up the share of %j and %j, and knows none until both are counted', (invoices, lines, percent) => {
  expect(toPercent({ invoices, lines })).toBe(percent)
})

test('says how far a run is in the list it reads', () => {
  expect(describeProgress(run)).toEqual({ text: 'Lines 350 of 1,612', percent: 21 })
  expect(describeProgress({ ...run, phase: 'invoices' })).toEqual({ text: 'Invoices 0', percent: null })
  expect(describeProgress({ ...run, lines: { received: 5, expected: 0 } }).percent).toBe(100)
  expect(describeProgress({ ...run, status: 'queued' }).percent).toBeNull()
})

test('sums up a good run and says nothing about a failed one', () => {
  expect(describeResult({ ...run, kind: 'changes', status: 'succeeded', inserted: 1204, rejected: 2 })).toBe(
    '1,204 records new, 2 not imported',
  )
  expect(describeResult({ ...run, status: 'succeeded' })).toBe('nothing new')
  expect(describeResult({ ...run, status: 'failed' })).toBeNull()
})

test('a first import is told by what it brought, not as news', () => {
  const first = {
    ...run,
    status: 'succeeded',
    inserted: 590,
    invoices: { received: 66, expected: 66 },
    lines: { received: 521, expected: 520 },
  } as const
  expect(describeResult(first)).toBe('520 lines and 66 invoices imported')
  expect(describeResult({ ...first, rejected: 1 })).toBe('520 lines and 66 invoices read, 1 of them not imported')
})

test('names the run behind a change by its trigger, who started it, and its reference', () => {
  const seen = { runId: '12345678-aaaa-bbbb-cccc-000000000000', trigger: 'schedule', startedBy: null } as const
  expect(describeRun(seen)).toBe('found by a scheduled sync (ref 12345678)')
  expect(describeRun({ ...seen, trigger: 'manual', startedBy: 'Ana' })).toBe(
    'found by a manual sync by Ana (ref 12345678)',
  )
  expect(describeRun({ ...seen, trigger: null })).toBe('found by a sync (ref 12345678)')
  expect(describeRun({ ...seen, runId: null })).toBe('found outside a sync')
})
