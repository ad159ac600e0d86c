import { expect, test } from 'vitest'
import type { ConnectionSummary, RunProgress } from '../../lib/connections/model.ts'
import { describeProgress, describeResult, toStateText } from './connection-state.ts'

const none = { received: 0, expected: null }
const run: RunProgress = {
  id: 'r',
  status: 'running',
  phase: 'lines',
  trigger: 'manual',
  requestedAt: '2026-03-31T00:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  profiles: none,
  invoices: none,
  lines: { received: 350, expected: 1612 },
  inserted: 0,
  updated: 0,
  unchanged: 0,
  duplicate: 0,
  rejected: 0,
  kind: 'backfill',
  windows: { known: 3, complete: 2 },
  recordsPerSecond: null,
  secondsLeft: null,
  linesMissing: 0,
  invoicesMissing: 0,
  waitsUntil: null,
  errorCode: null,
  errorText: null,
}
const connection = { state: 'active', stateCause: null, run } as ConnectionSummary

test('says how far a run is, in the list that it reads', () => {
  expect(describeProgress(run)).toEqual({ text: 'Lines 350 of 1,612', percent: 21 })
  expect(describeProgress({ ...run, phase: 'invoices' })).toEqual({ text: 'Invoices 0', percent: null })
  expect(describeProgress({ ...run, lines: { received: 5, expected: 0 } }).percent).toBe(100)
  expect(describeProgress({ ...run, status: 'queued' }).percent).toBeNull()
})

test('gives every state a shape and a text of its own', () => {
  expect(toStateText(connection)).toMatchObject({ mark: 'partial', text: 'Syncing' })
  expect(toStateText({ ...connection, run: { ...run, status: 'failed' } })).toMatchObject({ mark: 'failed' })
  expect(toStateText({ ...connection, run: null })).toMatchObject({ mark: 'good', text: 'Active' })
  expect(toStateText({ ...connection, state: 'needs_reconnect', stateCause: 'refresh_expired' })).toMatchObject({
    mark: 'failed',
    detail: 'not used for 30 days, so the link ended',
  })
})

test('sums a good run up and says nothing about one that failed', () => {
  expect(describeResult({ ...run, status: 'succeeded', inserted: 1204, rejected: 2 })).toBe('1,204 new, 2 rejected')
  expect(describeResult({ ...run, status: 'succeeded' })).toBe('nothing new')
  expect(describeResult({ ...run, status: 'failed' })).toBeNull()
})
