import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { listEvents, recordEvent } from './events/history.ts'
import { CONNECTION_STATES, type StoredState, TRANSITIONS, toShownState } from './states.ts'
import { type Move, moveConnection } from './tokens/move-connection.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
})
afterAll(() => database.drop())
beforeEach(async () => {
  connectionId = await seedConnection(database.query, owner)
})

const STORED = CONNECTION_STATES.filter((state): state is StoredState => state !== 'refreshing')
const pairs = STORED.flatMap((from) => STORED.filter((to) => to !== from).map((to) => [from, to] as const))

/** Inserts a connection in any `state`: the database checks only changes. */
async function begin(state: StoredState): Promise<void> {
  const [row] = await database.query<{ id: string }>(
    `insert into connection (organization_id, state, scopes_asked, created_by) values ($1, $2, 'a:b', $3) returning id`,
    [owner.organizationId, state, owner.userId],
  )
  connectionId = row?.id as ConnectionId
}
const readState = async () =>
  (await database.query<{ state: string }>('select state from connection where id = $1', [connectionId]))[0]?.state
const move = (change: Partial<Move> & Pick<Move, 'to'>) =>
  withTenantSql(owner.organizationId, (sql) =>
    moveConnection(sql, owner.organizationId, connectionId, { cause: null, actorId: owner.userId, ...change }),
  )
const setState = (state: string) =>
  database.query('update connection set state = $1 where id = $2', [state, connectionId])
const readHistory = async () => (await listEvents(owner.organizationId, connectionId, { limit: 50 })).events

test('database and code allow exactly the same moves', async () => {
  const rows = await database.query<{ move: string }>(
    `select from_state || ' ' || to_state as move from connection_transition order by 1`,
  )
  const stored = pairs.filter(([from, to]) => TRANSITIONS[from].includes(to)).map((pair) => pair.join(' '))
  expect(rows.map((row) => row.move)).toEqual(stored.sort())
})

test('every state can be reached from pending, and every state can be left', () => {
  const reached = new Set<string>(['pending'])
  for (const state of reached) for (const next of TRANSITIONS[state as StoredState]) reached.add(next)
  expect([...reached].sort()).toEqual([...CONNECTION_STATES].sort())
  for (const state of CONNECTION_STATES) expect(TRANSITIONS[state]).not.toHaveLength(0)
})

describe('each move', () => {
  test.each(pairs.filter(([from, to]) => TRANSITIONS[from].includes(to)))(
    '%s -> %s happens and is noted',
    async (from, to) => {
      await begin(from)
      expect(await move({ to, cause: 'some_cause' })).toBe(true)
      expect(await readState()).toBe(to)
      const [newest] = await readHistory()
      expect(newest).toMatchObject({
        kind: 'state',
        fromState: from,
        toState: to,
        cause: 'some_cause',
        actorName: 'Ada Admin',
        happenedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      })
    },
  )

  test.each(pairs.filter(([from, to]) => !TRANSITIONS[from].includes(to)))(
    '%s -> %s is refused, by code and database',
    async (from, to) => {
      await begin(from)
      expect(await move({ to })).toBe(false)
      await expect(move({ to, from: STORED })).rejects.toThrow(`a connection does not go from ${from} to ${to}`)
      await expect(setState(to)).rejects.toThrow('does not go')
      expect(await readState()).toBe(from)
      expect((await readHistory()).map((event) => event.kind)).toEqual(['created'])
    },
  )
})

test('refreshing is shown for an active connection under a lease, and never stored', async () => {
  expect(toShownState('active', true)).toBe('refreshing')
  expect(toShownState('active', false)).toBe('active')
  for (const state of STORED.filter((each) => each !== 'active')) expect(toShownState(state, true)).toBe(state)
  expect(TRANSITIONS.refreshing).toEqual(TRANSITIONS.active.map((to) => (to === 'refreshing' ? 'active' : to)))
  await expect(setState('refreshing')).rejects.toThrow()
  await expect(
    database.query(
      `insert into connection (organization_id, state, scopes_asked, created_by) values ($1, 'refreshing', 'a:b', $2)`,
      [owner.organizationId, owner.userId],
    ),
  ).rejects.toThrow('connection_refreshing_is_derived')
})

test('of many that move a connection at once, one wins, and the history gets one row', async () => {
  const won = await Promise.all(Array.from({ length: 8 }, () => move({ to: 'disconnecting' })))
  expect(won.filter(Boolean)).toHaveLength(1)
  expect((await readHistory()).map(({ toState }) => toState)).toEqual(['disconnecting', 'active'])
})

test('a move that is rolled back leaves no history, and one made in plain SQL still leaves it', async () => {
  const failed = withTenantSql(owner.organizationId, async (sql) => {
    await moveConnection(sql, owner.organizationId, connectionId, { to: 'disconnecting', cause: null, actorId: null })
    throw new Error('stop')
  })
  await expect(failed).rejects.toThrow('stop')
  expect(await readHistory()).toHaveLength(1)
  await setState('needs_reconnect')
  expect((await readHistory())[0]).toMatchObject({ kind: 'state', toState: 'needs_reconnect', actorName: null })
})

test('the actor of a move does not leak into the transaction’s next change', async () => {
  await withTenantSql(owner.organizationId, async (sql) => {
    const byAda = { to: 'needs_reconnect', cause: 'rejected', actorId: owner.userId } as const
    await moveConnection(sql, owner.organizationId, connectionId, byAda)
    await sql(`update connection set state = 'disconnecting' where id = $1`, [connectionId])
  })
  expect((await readHistory()).map((event) => event.actorName)).toEqual([null, 'Ada Admin', 'Ada Admin'])
})

test.each([
  ['changed', `update connection_event set cause = 'other'`],
  ['deleted', 'delete from connection_event'],
  ['emptied', 'truncate connection_event'],
])('history cannot be %s', async (_, statement) => {
  await expect(database.query(statement)).rejects.toThrow('append-only')
})

test('history outlives the connection', async () => {
  await database.query('delete from connection where id = $1', [connectionId])
  expect(await readHistory()).toHaveLength(1)
})

test('history is paged, newest first, without gaps', async () => {
  // numbers of different lengths: sorted as text, 10 would come before 9
  await database.query(`select setval('connection_event_number_seq', 9997)`)
  await withTenantSql(owner.organizationId, async (sql) => {
    for (let count = 1; count <= 5; count++)
      await recordEvent(sql, owner.organizationId, connectionId, { kind: 'consent_given', detail: `${count}` })
  })
  const first = await listEvents(owner.organizationId, connectionId, { limit: 2 })
  expect(first.events.map((event) => event.detail)).toEqual(['5', '4'])
  expect(first.hasMore).toBe(true)
  const before = first.events.at(-1)?.number
  const rest = await listEvents(owner.organizationId, connectionId, { limit: 10, before })
  expect(rest.events.map((event) => event.detail ?? event.kind)).toEqual(['3', '2', '1', 'created'])
  expect(rest.hasMore).toBe(false)
})

test('history goes by its moments, also where each node of a cluster has numbers of its own', async () => {
  for (const [detail, number, seconds] of [
    ['first', 900, 10],
    ['second', 700, 20],
    ['third', 800, 20],
    ['last', 600, 30],
  ] as const)
    await database.query(
      `insert into connection_event (organization_id, connection_id, number, happened_at, kind, detail) overriding system value
       values ($1, $2, $3, now() + make_interval(secs => $4), 'consent_given', $5)`,
      [owner.organizationId, connectionId, number, seconds, detail],
    )
  const read: (string | null)[] = []
  let before: string | undefined
  for (let page = await listEvents(owner.organizationId, connectionId, { limit: 1 }); ; ) {
    read.push(...page.events.map((event) => event.detail ?? event.kind))
    if (!page.hasMore) break
    before = page.events.at(-1)?.number
    page = await listEvents(owner.organizationId, connectionId, { limit: 1, before })
  }
  expect(read).toEqual(['last', 'third', 'second', 'first', 'created'])
})

test('A8: another organization reads none of the history', async () => {
  const other = await seedOrganization(database.query, 'Other')
  expect((await listEvents(other.organizationId, connectionId, { limit: 9 })).events).toEqual([])
})
