/** Test data: a healthy connection and a run. Each test overrides what it is about. */
import type { ConnectionSummary, RunProgress } from '#lib/connections/model.ts'

/** The clock of the tests that use this data. */
export const NOW = Date.parse('2026-03-31T12:00:00.000Z')

/** The moment `minutes` before `NOW`; negative minutes come after it. */
export function ago(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString()
}

const none = { received: 0, expected: null }

export function makeRun(change: Partial<RunProgress> = {}): RunProgress {
  return {
    id: 'run',
    status: 'running',
    kind: 'backfill',
    phase: 'lines',
    trigger: 'manual',
    requestedAt: ago(2),
    startedAt: ago(2),
    finishedAt: null,
    leaseUntil: ago(-0.3),
    progressAt: ago(0.1),
    profiles: none,
    invoices: none,
    lines: { received: 350, expected: 1612 },
    inserted: 0,
    updated: 0,
    unchanged: 0,
    duplicate: 0,
    rejected: 0,
    errorCode: null,
    errorText: null,
    windows: { known: 3, complete: 2 },
    recordsPerSecond: null,
    linesPerSecond: null,
    secondsLeft: null,
    linesMissing: 0,
    invoicesMissing: 0,
    waitsUntil: null,
    ...change,
  }
}

type Change = Partial<Omit<ConnectionSummary, 'id'>> & { id?: string }

export function makeConnection({ id = 'c', ...change }: Change = {}): ConnectionSummary {
  const DAY = 1440
  return {
    ...{
      id: id as ConnectionSummary['id'],
      name: 'Acme',
      platformName: 'Acme',
      state: 'active',
      stateCause: null,
      stateChangedAt: ago(3 * DAY),
      profiles: [],
    },
    scopesAsked: ['expenses:read'],
    scopesGranted: ['expenses:read'],
    connectedAt: ago(3 * DAY),
    connectedBy: 'Ada',
    lineCount: 0,
    goneLineCount: 0,
    invoiceCount: 0,
    rejectedCount: 0,
    lastGoodSyncAt: ago(10),
    tokensObtainedAt: ago(20),
    refreshObtainedAt: ago(20),
    refreshExpiresAt: ago(20 - 30 * DAY),
    accessExpiresAt: ago(-40),
    refreshingUntil: null,
    refreshOverdueSince: null,
    dataDeletedAt: null,
    disconnect: null,
    candidate: null,
    run: null,
    openLoss: null,
    nextSyncAt: null,
    syncEveryMinutes: 60,
    lookBackEveryHours: 24,
    lookedBackAt: null,
    nextLookBackAt: null,
    verifyEveryDays: 7,
    verifiedAt: null,
    nextVerificationAt: null,
    ...change,
  }
}
