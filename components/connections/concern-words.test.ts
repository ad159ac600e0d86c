import { expect, test } from 'vitest'
import { listConcerns, toUrgency } from '#lib/connections/concerns.ts'
import type { ConnectionSummary, ConsentCandidate, DisconnectProgress } from '#lib/connections/model.ts'
import { DEFAULT_CONNECTION_QUERY } from '#lib/ledger/query/connection-query.ts'
import { describeConcern } from './concern-words.ts'
import { arrangeConnections } from './list/arrange-connections.ts'
import { ago, makeConnection, makeRun, NOW } from './test-support/test-connection.ts'
import { toLatestRefresh } from './token-times.ts'

const DAY = 1440
const say = (change: Partial<ConnectionSummary>) => {
  const connection = makeConnection(change)
  return listConcerns(connection, NOW).map(
    (concern) => `${concern.tone}: ${describeConcern(concern, connection, NOW).text}`,
  )
}
const disconnect: DisconnectProgress = {
  dataChoice: 'keep',
  phase: 'ending_link',
  requestedAt: ago(180),
  requestedBy: 'Ada',
  attempts: 4,
  nextTryAt: ago(-12),
  lastProblem: 'throttled',
  erasedRows: 0,
}
const candidate: ConsentCandidate = {
  status: 'unchecked',
  consentedBy: 'Ada',
  obtainedAt: ago(5),
  accessExpiresAt: ago(-55),
  attempts: 0,
  nextTryAt: ago(-1),
  lastProblem: null,
  profileNames: [],
  heldBy: null,
}

test('says nothing about a healthy connection', () => {
  expect(say({})).toEqual([])
  expect(say({ run: makeRun() })).toEqual([])
  expect(say({ state: 'disconnected', run: makeRun({ status: 'failed' }), refreshExpiresAt: null })).toEqual([])
})

test.each([
  [8 * DAY, []],
  [6.5 * DAY, ['warn', 'in 6 days']],
  [2.5 * DAY, ['warn', 'in 2 days']],
  [0.9 * DAY, ['bad', 'in 21 hours']],
  [-1, ['bad', 'expired']],
])("F14: warns louder the closer a link's end comes: %s minutes", (minutes, [tone, words]) => {
  const said = say({ refreshExpiresAt: ago(-minutes) })
  if (tone === undefined) expect(said).toEqual([])
  else expect(said).toEqual([expect.stringMatching(new RegExp(`^${tone}: .*${words}`))])
})

test.each([
  [
    'not taken up',
    { status: 'queued', requestedAt: ago(5), startedAt: null },
    /requested 5 minutes ago and has not started/,
  ],
  ['put off', { leaseUntil: ago(-59), errorText: 'Slow down.' }, /is waiting\. Slow down\. It resumes in 59 minutes/],
  ['left by its worker', { leaseUntil: ago(4) }, /worker of the sync stopped 4 minutes ago/],
  [
    'without progress',
    { leaseUntil: ago(-0.2), progressAt: ago(9) },
    /without progress: its last page arrived 9 minutes ago/,
  ],
] as const)('a sync that is %s says so', (_, change, words) => {
  expect(say({ run: makeRun(change) })).toEqual([expect.stringMatching(words)])
})

test('F25: shows a held loss until it is decided, also after later syncs', () => {
  const openLoss = { missingLines: 150, missingInvoices: 1 }
  expect(say({ openLoss, run: makeRun({ status: 'succeeded' }) })).toEqual([
    expect.stringMatching(/^warn: 150 lines and 1 invoice are no longer on the platform.*an admin must decide/),
  ])
  expect(toUrgency(listConcerns(makeConnection({ openLoss }), NOW))).toBe(1)
})

test('F16: says since when, how often and why the platform has not confirmed a disconnect', () => {
  const [text] = say({ state: 'disconnecting', stateChangedAt: ago(180), disconnect })
  expect(text).toMatch(/^warn: .*asks to wait\. Tried 4 times since 3 hours ago; next try in 12 minutes/)
  const long = say({ state: 'disconnecting', stateChangedAt: ago(2 * DAY), disconnect })
  expect(long[0]).toMatch(/^bad/)
  const idle = { ...disconnect, attempts: 0, lastProblem: null, requestedAt: ago(5) }
  expect(say({ state: 'disconnecting', stateChangedAt: ago(5), disconnect: idle })[0]).toMatch(/has not started/)
})

test('names an unfinished renewal, a check that waits and another account', () => {
  expect(say({ refreshOverdueSince: ago(7) })[0]).toMatch(/stopped 7 minutes ago and left a renewal/)
  expect(say({ state: 'pending', candidate })[0]).toMatch(/waiting to be checked since 5 minutes ago\. An operator/)
  expect(say({ candidate: { ...candidate, status: 'other_account' } })[0]).toMatch(/^bad: .*another account/)
})

test('lists the worst first', () => {
  const all = listConcerns(
    makeConnection({ scopesGranted: [], refreshExpiresAt: ago(-100), run: makeRun({ progressAt: ago(30) }) }),
    NOW,
  )
  expect(all.map(({ tone }) => tone)).toEqual(['bad', 'warn', 'warn'])
})

test('names the latest renewal: at 10, 15 and 20 days, then every day', () => {
  const at = (days: number) => {
    const refreshObtainedAt = ago(days * DAY)
    const connection = makeConnection({ refreshObtainedAt, refreshExpiresAt: ago((days - 30) * DAY) })
    const next = toLatestRefresh(connection, NOW)
    return next === null ? null : Math.round((Date.parse(next) - Date.parse(refreshObtainedAt)) / 86_400_000)
  }
  expect([0, 9.9, 10.1, 15.1, 20.1, 25.5, 31].map(at)).toEqual([10, 10, 15, 20, 21, 26, null])
})

test('searches, sorts and pages 100 connections, those that need attention first', () => {
  const many = Array.from({ length: 100 }, (_, index) =>
    makeConnection({
      id: `id-${index}`,
      name: `Account ${index}`,
      ...(index % 25 === 7 ? { state: 'needs_reconnect' } : index % 10 === 0 ? { state: 'disconnected' } : {}),
      profiles: [{ id: `p-${index}`, name: index === 42 ? 'Zürich Œuvre' : null, currency: 'EUR' }],
    }),
  )
  const first = arrangeConnections(many, DEFAULT_CONNECTION_QUERY, NOW)
  expect(first.rows.slice(0, 5).map(({ name }) => name)).toEqual([
    'Account 7',
    'Account 32',
    'Account 57',
    'Account 82',
    'Account 1',
  ])
  expect(first).toMatchObject({ count: 100, pageCount: 2, counts: { all: 100, attention: 4, disconnected: 10 } })
  const far = arrangeConnections(many, { ...DEFAULT_CONNECTION_QUERY, page: 99 }, NOW)
  expect([far.page, far.rows.at(-1)?.state]).toEqual([2, 'disconnected'])
  const found = arrangeConnections(many, { ...DEFAULT_CONNECTION_QUERY, text: 'zürich ACCOUNT' }, NOW)
  expect(found.rows.map(({ id }) => id)).toEqual(['id-42'])
  const byId = arrangeConnections(many, { ...DEFAULT_CONNECTION_QUERY, text: 'id-9' }, NOW)
  expect(byId.count).toBe(11)
  expect(arrangeConnections(many, { ...DEFAULT_CONNECTION_QUERY, text: 'd-9' }, NOW).count).toBe(0)
  const urgent = arrangeConnections(many, { ...DEFAULT_CONNECTION_QUERY, show: 'attention' }, NOW)
  expect(urgent.rows.every((row) => toUrgency(listConcerns(row, NOW)) < 2)).toBe(true)
  const sort = { key: 'name', descending: true } as const
  expect(arrangeConnections(many, { ...DEFAULT_CONNECTION_QUERY, sort }, NOW).rows[0]?.name).toBe('Account 99')
})
