/** All places on screen agree on what needs attention, in each state, on a real database. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { listDestinations } from '#components/frame/destinations.ts'
import { listNeeds } from '#components/overview/list-needs.tsx'
import { renderPart } from '#components/query/test-support/test-render.ts'
import { type ConcernCode, LINK_WARNING_DAYS } from '#lib/connections/concerns.ts'
import { claimWarningMail, noteMailed, recordWarnings } from '#lib/connections/life/keep-alive-warnings.ts'
import { listAttention } from '#lib/connections/life/list-attention.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { RUN_STATUSES } from '#lib/connections/runs/run-status.ts'
import { CONNECTION_STATES } from '#lib/connections/states.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { DEFAULT_CONNECTION_QUERY } from '#lib/ledger/query/connection-query.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { toWarningText } from '#lib/worker/credential-care.ts'
import { CONCERN_TITLES } from './concern-titles.ts'
import { describeConcern } from './concern-words.ts'
import { CAUSES } from './connection-state.ts'
import { LinkBanner } from './link-banner.tsx'
import { arrangeConnections } from './list/arrange-connections.ts'
import { ConnectionStateCell } from './list/connection-state-cell.tsx'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A connection's state, set up by SQL. Spans count from now; negative ones lie in the past. */
type Situation = {
  state?: string
  cause?: string
  changed?: string
  granted?: string
  /** When its link ends; null for a connection without tokens. */
  ends?: string | null
  /** When the lease for refreshing its tokens ends. */
  leased?: string
  run?: { status: string; requested?: string; started?: string; lease?: string; error?: string; page?: string }
  hasLoss?: boolean
  hasBadAnswer?: boolean
  /** The circuit to the platform's host is open, so no calls are made. */
  isHostFailing?: boolean
  disconnect?: { attempts: number; problem?: string; outcome?: string }
  candidate?: { status: string; obtained: string }
}

const HEALTHY = { status: 'succeeded' }

const SITUATIONS: [name: string, situation: Situation, codes: ConcernCode[]][] = [
  ['pending: just connected', { state: 'pending', ends: null }, []],
  ['pending: being checked', { state: 'pending', candidate: { status: 'unchecked', obtained: '-10 seconds' } }, []],
  [
    'pending: the check waits',
    { state: 'pending', candidate: { status: 'unchecked', obtained: '-5 minutes' } },
    ['check_waits'],
  ],
  ['active', { run: HEALTHY }, []],
  [
    'active: syncing',
    { run: { status: 'running', started: '-1 minute', lease: '20 seconds', page: '-5 seconds' } },
    [],
  ],
  ['active: paused', { run: { status: 'paused', started: '-1 day' } }, []],
  ['active: canceled', { run: { status: 'canceled' } }, []],
  ['active: the sync met a bad answer', { run: HEALTHY, hasBadAnswer: true }, []],
  [
    'active: bad answers ended the sync',
    { run: { status: 'failed', error: 'It was no list.' }, hasBadAnswer: true },
    ['sync_failed'],
  ],
  // a failing host has its own banner; a connection is concerned once its sync waits for the host
  ['active: the host fails, nothing needs reading', { run: HEALTHY, isHostFailing: true }, []],
  ['active: the last sync failed', { run: { status: 'failed', error: 'It failed.' } }, ['sync_failed']],
  ['active: a sync has not started', { run: { status: 'queued', requested: '-5 minutes' } }, ['sync_waits']],
  [
    'active: the host fails, the sync is put off',
    {
      run: { status: 'running', started: '-1 hour', lease: '10 minutes', error: 'It does not answer.' },
      isHostFailing: true,
    },
    ['sync_put_off'],
  ],
  [
    'active: the pause of a sync that was put off is just over',
    { run: { status: 'running', started: '-1 hour', lease: '-5 seconds', error: 'It does not answer.' } },
    ['sync_put_off'],
  ],
  [
    'active: the worker of the sync stopped',
    { run: { status: 'running', started: '-1 hour', lease: '-5 minutes' } },
    ['sync_orphaned'],
  ],
  [
    'active: the sync makes no progress',
    { run: { status: 'running', started: '-1 hour', lease: '20 seconds', page: '-10 minutes' } },
    ['sync_stalled'],
  ],
  ['active: the link ends in 8 days', { ends: '8 days' }, []],
  ['active: the link ends in 6 days', { ends: '6 days' }, ['link_ends']],
  ['active: the link ends in 12 hours', { ends: '12 hours' }, ['link_ends']],
  ['active: the link expired', { ends: '-1 hour' }, ['link_ran_out']],
  ['active: a scope is missing', { granted: 'profile:read' }, ['scope_missing']],
  ['active: a loss is held', { run: { status: 'held' }, hasLoss: true }, ['loss_held']],
  ['active: a loss is held since an earlier sync', { run: HEALTHY, hasLoss: true }, ['loss_held']],
  ['active: access was granted for another account', { candidate: otherAccount() }, ['other_account']],
  [
    'active: the worst of several comes first',
    { ends: '12 hours', granted: 'profile:read', hasLoss: true },
    ['link_ends', 'loss_held', 'scope_missing'],
  ],
  ['refreshing', { leased: '30 seconds', run: HEALTHY }, []],
  ['refreshing: a scope is missing', { leased: '30 seconds', granted: 'profile:read' }, ['scope_missing']],
  ['refreshing: left by its worker', { leased: '-5 minutes' }, ['renewal_unfinished']],
  ...Object.keys(CAUSES).map((cause): [string, Situation, ConcernCode[]] => [
    `needs_reconnect: ${cause}`,
    { state: 'needs_reconnect', cause },
    ['link_ended'],
  ]),
  ['needs_reconnect: after a failed sync', { state: 'needs_reconnect', run: { status: 'failed' } }, ['link_ended']],
  [
    'needs_reconnect: access was granted for another account',
    { state: 'needs_reconnect', cause: 'other_account', candidate: otherAccount() },
    ['link_ended', 'other_account'],
  ],
  ['disconnecting: just requested', { state: 'disconnecting', disconnect: { attempts: 0 } }, []],
  [
    'disconnecting: not started',
    { state: 'disconnecting', changed: '-5 minutes', disconnect: { attempts: 0 } },
    ['disconnect_waits'],
  ],
  [
    'disconnecting: not confirmed',
    { state: 'disconnecting', disconnect: { attempts: 2, problem: 'throttled' } },
    ['disconnect_unconfirmed'],
  ],
  [
    'disconnecting: data is being deleted',
    { state: 'disconnecting', changed: '-1 hour', disconnect: { attempts: 1, outcome: 'revoked' } },
    [],
  ],
  ['disconnected', { state: 'disconnected', ends: null, run: { status: 'failed' } }, []],
  ['disconnected: a loss is held', { state: 'disconnected', ends: null, hasLoss: true }, ['loss_held']],
]

function otherAccount() {
  return { status: 'other_account', obtained: '-5 minutes' }
}

test.each(SITUATIONS)('%s: sidebar, overview, banner, connections page and mail agree', async (_, situation, codes) => {
  const { organizationId, connectionId } = await begin(situation)
  const now = Date.now()
  const attention = await listAttention(organizationId, now)
  const connections = await listConnections(organizationId)
  const isConcerned = codes.length > 0
  const [connection] = connections
  if (connection === undefined) throw new Error('the connection is not listed')

  // the brief query and the full one list the same codes
  expect(attention.flatMap(({ concerns }) => concerns.map(({ code }) => code))).toEqual(codes)
  const counts = { invoices: 0, lines: 0, connectionsInNeed: attention.length }
  const sidebar = listDestinations({ ...counts, starts: {}, role: 'viewer' }).find(
    ({ href }) => href === '/connections',
  )
  expect(sidebar?.count?.text).toBe(isConcerned ? '1' : undefined)

  const overview = listNeeds(
    {
      findings: [],
      gone: { since: '2026-11-16' as Day, totals: [], invoices: [] },
      rejectedCount: 0,
      tieOut: { currencies: [], findings: [] },
    },
    connections,
    now,
  )
  expect(overview.map(({ key }) => key)).toEqual(codes.map((code) => `${code} ${connectionId}`))

  const page = arrangeConnections(connections, { ...DEFAULT_CONNECTION_QUERY, show: 'attention' }, now)
  expect(page.counts.attention).toBe(isConcerned ? 1 : 0)
  expect(page.rows.map(({ id }) => id)).toEqual(isConcerned ? [connectionId] : [])

  const cell = renderPart(<ConnectionStateCell connection={connection} now={now} />)
  const [worst] = attention.flatMap(({ concerns }) => concerns)
  if (worst === undefined) expect(cell).not.toMatch(/text-(bad|warn)/)
  else {
    expect(cell).toContain(worst.tone === 'bad' ? 'text-bad' : 'text-warn')
    expect(cell).toContain(describeConcern(worst, connection, now).brief)
  }

  const banner = renderPart(<LinkBanner connections={attention} now={now} />)
  const link = codes.find((code) => code.startsWith('link_'))
  const said = link === 'link_ends' ? 'its link ends' : 'needs to be reconnected'
  expect(banner).toEqual(link === undefined ? '' : expect.stringContaining(said))

  await recordWarnings()
  const mailed = await database.query<{ days_left: number }>(
    'select days_left from connection_warning where connection_id = $1 order by days_left desc',
    [connectionId],
  )
  const days = situation.ends === '6 days' ? [7] : link === 'link_ends' ? [...LINK_WARNING_DAYS] : []
  expect(mailed.map(({ days_left }) => days_left)).toEqual(days)
  const mail = await takeMail(connectionId)
  expect(mail.length).toBe(days.length > 0 ? 1 : 0)
  for (const { daysLeft, text } of mail) {
    expect(daysLeft === Math.min(...LINK_WARNING_DAYS) ? 'bad' : 'warn').toBe(worst?.tone)
    expect(text).toContain(connection.refreshExpiresAt?.slice(0, 10))
  }

  for (const concern of attention.flatMap(({ concerns }) => concerns))
    expect(describeConcern(concern, connection, now).text).toMatch(/^[A-Z0-9].*\.$/)
})

test('these situations cover every state, cause, run status and concern', async () => {
  const situations = SITUATIONS.map(([, situation]) => situation)
  const named = SITUATIONS.map(([name]) => name.split(':')[0])
  expect(CONNECTION_STATES.filter((state) => !named.includes(state))).toEqual([])
  expect(Object.keys(CAUSES).filter((cause) => !situations.some((situation) => situation.cause === cause))).toEqual([])
  const missing = RUN_STATUSES.filter((status) => !situations.some(({ run }) => run?.status === status))
  expect(missing).toEqual([])
  expect(
    Object.keys(CONCERN_TITLES).filter((code) => !SITUATIONS.some(([, , codes]) => codes.includes(code as never))),
  ).toEqual([])
})

test('connections page and overview list the worst first, and the banner counts the links', async () => {
  const owner = await seedOrganization(database.query)
  await connect(owner, { granted: 'profile:read' })
  await connect(owner, { run: HEALTHY })
  const late = await connect(owner, { state: 'needs_reconnect', cause: 'rejected' })
  const soon = await connect(owner, { ends: '2 days' })
  const now = Date.now()
  const connections = await listConnections(owner.organizationId)
  const attention = await listAttention(owner.organizationId, now)
  expect(attention).toHaveLength(3)
  const page = arrangeConnections(connections, DEFAULT_CONNECTION_QUERY, now)
  expect(page.counts.attention).toBe(3)
  expect(page.rows[0]?.id).toBe(late)
  const needs = listNeeds(
    {
      findings: [],
      gone: { since: '2026-11-16' as Day, totals: [], invoices: [] },
      rejectedCount: 0,
      tieOut: { currencies: [], findings: [] },
    },
    connections,
    now,
  )
  expect(needs).toHaveLength(3)
  expect(needs[0]?.key).toBe(`link_ended ${late}`)
  expect(needs.map(({ key }) => key)).toContain(`link_ends ${soon}`)
  const banner = renderPart(<LinkBanner connections={attention} now={now} />)
  expect(banner).toContain('1 connection needs to be reconnected; 1 link ends within 7 days')
  // what was dismissed is not told again, and another link is
  const told = [late, soon].map((id) => attention.find((each) => each.id === id))
  const news = told.flatMap((each) => each?.concerns.map(({ code, tone }) => `${each.id.slice(0, 8)}.${code}.${tone}`))
  const toldAll = news
    .filter((each) => each?.includes('link_'))
    .sort()
    .join('-')
  expect(renderPart(<LinkBanner connections={attention} now={now} told={toldAll} />)).toBe('')
  expect(renderPart(<LinkBanner connections={attention} now={now} told={toldAll.split('-')[0]} />)).not.toBe('')
})

/** The mails about the connection that a worker would send now. Claims every waiting mail. */
async function takeMail(connectionId: ConnectionId): Promise<{ daysLeft: number; text: string }[]> {
  const taken: { daysLeft: number; text: string }[] = []
  for (let warning = await claimWarningMail(); warning !== null; warning = await claimWarningMail()) {
    await noteMailed(warning)
    if (warning.connectionId === connectionId) taken.push({ daysLeft: warning.daysLeft, ...toWarningText(warning) })
  }
  return taken
}

async function begin(situation: Situation): Promise<{ organizationId: OrganizationId; connectionId: ConnectionId }> {
  const owner = await seedOrganization(database.query)
  return { organizationId: owner.organizationId, connectionId: await connect(owner, situation) }
}

async function connect(
  by: { organizationId: OrganizationId; userId: UserId },
  situation: Situation,
): Promise<ConnectionId> {
  const { organizationId, userId } = by
  const [row] = await database.query<{ id: string }>(
    `insert into connection (organization_id, name, state, state_cause, state_changed_at, scopes_asked, scopes_granted, created_by, connected_at)
     values ($1, 'Acme', $2, $3, now() + $4::interval, 'expenses:read profile:read', $5, $6, now() - interval '3 days') returning id`,
    [
      organizationId,
      situation.state ?? 'active',
      situation.cause ?? null,
      situation.changed ?? '-30 seconds',
      situation.granted ?? null,
      userId,
    ],
  )
  const connectionId = row?.id as ConnectionId
  const owner = [organizationId, connectionId]
  if (situation.ends !== null)
    await database.query(
      `insert into connection_credential (organization_id, connection_id, generation, sealed_tokens, key_id, obtained_at, access_expires_at,
         refresh_expires_at, lease_owner, lease_until)
       values ($1, $2, 1, 'sealed', 'key', now(), now(), now() + $3::interval, case when $4::text is not null then 'worker' end,
         now() + $4::interval)`,
      [...owner, situation.ends ?? '20 days', situation.leased ?? null],
    )
  if (situation.hasLoss) await addLoss(owner)
  if (situation.run) await addRun(owner, situation.run)
  if (situation.disconnect)
    await database.query(
      `insert into disconnection (organization_id, connection_id, data_choice, requested_by, requested_at, attempts, last_problem, outcome)
       select $1, $2, 'keep', $3, c.state_changed_at, $4, $5, $6 from connection c where c.id = $2`,
      [...owner, userId, situation.disconnect.attempts, situation.disconnect.problem, situation.disconnect.outcome],
    )
  if (situation.candidate)
    await database.query(
      `insert into connection_candidate (organization_id, connection_id, status, sealed_for, generation, sealed_tokens, key_id, scopes_asked,
         obtained_at, access_expires_at, refresh_expires_at, consented_by, state_before)
       values ($1, $2, $3, gen_random_uuid(), 2, 'sealed', 'key', 'expenses:read', now() + $4::interval, now() + interval '1 hour',
         now() + interval '30 days', $5, 'active')`,
      [...owner, situation.candidate.status, situation.candidate.obtained, userId],
    )
  if (situation.hasBadAnswer)
    await database.query(
      `insert into sync_evidence (organization_id, connection_id, run_id, list, page_offset, kind, reason)
       select organization_id, connection_id, id, 'lines', 0, 'bad_body', 'No list.' from sync_run where connection_id = $1`,
      [connectionId],
    )
  await database.query(
    `insert into partner_host (host, circuit, retry_at) values ('platform.example', $1, now() + interval '10 minutes')
     on conflict (host) do update set circuit = excluded.circuit`,
    [situation.isHostFailing ? 'open' : 'closed'],
  )
  return connectionId
}

async function addRun(owner: string[], run: NonNullable<Situation['run']>): Promise<void> {
  const isOver = ['succeeded', 'failed', 'held', 'canceled'].includes(run.status)
  const [row] = await database.query<{ id: string }>(
    `insert into sync_run (organization_id, connection_id, trigger, kind, status, requested_at, started_at, lease_until, finished_at,
       error_code, error_text)
     values ($1, $2, 'manual', 'backfill', $3, now() + $4::interval, now() + $5::interval, now() + $6::interval,
       case when $7 then now() end, case when $8::text is not null then 'partner-unavailable' end, $8) returning id`,
    [...owner, run.status, run.requested ?? '-1 hour', run.started, run.lease, isOver, run.error],
  )
  if (run.page === undefined) return
  const [organizationId] = owner
  await database.query(
    `insert into sync_window (organization_id, run_id, number, list, state) values ($1, $2, 1, 'lines', 'reading')`,
    [organizationId, row?.id],
  )
  await database.query(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, received, inserted, updated, unchanged,
       duplicate, rejected, key_hashes, committed_at)
     values ($1, $2, 1, 'lines', 1, 0, 0, 0, 0, 0, 0, 0, '{}', now() + $3::interval)`,
    [organizationId, row?.id, run.page],
  )
}

async function addLoss(owner: string[]): Promise<void> {
  await database.query(
    `with run as (
       insert into sync_run (organization_id, connection_id, trigger, kind, status, requested_at, finished_at)
       values ($1, $2, 'manual', 'verification', 'succeeded', now() - interval '1 day', now() - interval '1 day') returning id)
     insert into sync_loss (organization_id, run_id, connection_id, line_count, missing_lines, invoice_count, missing_invoices, totals)
     select $1, run.id, $2, 612, 150, 40, 3, '[]' from run`,
    owner,
  )
}
