import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { POOL_CONNECTIONS, pool } from '#lib/db/pool.ts'
import { limitStatements, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { PLACE_LIMITS, takePlace } from './cursor-places.ts'
import { CURSOR_LIMITS, openTenantCursor, type RowCursor } from './tenant-cursor.ts'

const ORGANIZATION = '00000000-0000-4000-8000-000000000001'
const NUMBERS = { text: 'select n::text as number from generate_series(1, 1000) n', values: [] }

let database: TestDatabase
const opened: RowCursor<{ number: string }>[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((cursor) => cursor.close()))
  expect(await openTransactions()).toEqual([])
})
afterAll(() => database.drop())

const organizationId = (organization: number) => `00000000-0000-4000-8000-00000000000${organization}`

type Options = { signal?: AbortSignal; limits?: Partial<typeof CURSOR_LIMITS> }

/**
 * Organizations and users are numbers here: a place is counted before anything checks that they
 * exist.
 */
async function open(organization: number, user: number, { signal, limits }: Options = {}) {
  const reader = { userId: `${user}`, signal: signal ?? new AbortController().signal }
  const cursor = await openTenantCursor<{ number: string }>(organizationId(organization), reader, NUMBERS, 10, {
    ...CURSOR_LIMITS,
    ...limits,
  })
  opened.push(cursor)
  return cursor
}

const openTransactions = () =>
  database.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )

/** Organization and user of each place of the process. */
const EVERY_PLACE: [number, number][] = [
  [1, 1],
  [1, 1],
  [2, 1],
  [2, 2],
  [2, 2],
]

const fillPlaces = (options: Options[] = []) =>
  Promise.all(EVERY_PLACE.map(([organization, user], index) => open(organization, user, options[index])))

/** @throws when a place is still taken; takes none for longer than this call. */
function tryEveryPlace(): void {
  const leaving: (() => void)[] = []
  try {
    for (const [organization, user] of EVERY_PLACE)
      leaving.push(takePlace(organizationId(organization), `${user}`, PLACE_LIMITS))
  } finally {
    for (const leave of leaving) leave()
  }
}

/**
 * Expects all places to become free. This process learns of a session’s end a moment after the
 * database, so both are waited for.
 */
async function expectAllFree(): Promise<void> {
  await vi.waitFor(async () => expect(await openTransactions()).toEqual([]), 30_000)
  await vi.waitFor(tryEveryPlace, 30_000)
  for (const cursor of await fillPlaces()) expect(await cursor.next()).toHaveLength(10)
}

test('A18: allows two files at a time per user, three per organization, and half of the pool in all', async () => {
  expect(PLACE_LIMITS).toEqual({ perUser: 2, perOrganization: 3, perProcess: POOL_CONNECTIONS / 2 })
  const busy = { code: 'export-busy', retryAfterMs: 10_000 }
  await Promise.all([open(1, 1), open(1, 1)])
  await expect(open(1, 1)).rejects.toMatchObject(busy)
  const third = await open(1, 2)
  await expect(open(1, 2)).rejects.toMatchObject(busy)
  await expect(open(1, 3)).rejects.toMatchObject(busy)
  await Promise.all([open(2, 1), open(2, 2)])
  await expect(open(3, 1)).rejects.toMatchObject(busy)
  expect(await withTenantSql(ORGANIZATION, (sql) => sql('select 1 as one'))).toEqual([{ one: 1 }])
  await third.close()
  expect(await (await open(3, 1)).next()).toHaveLength(10)
})

test('A18: files of other web servers count for user and organization, until these end', async () => {
  const elsewhere = () => delete (globalThis as { tieoutCursorPlaces?: unknown }).tieoutCursorPlaces
  const busy = { code: 'export-busy', retryAfterMs: 10_000 }
  const [, other] = await Promise.all([open(1, 1), open(1, 1)])
  elsewhere()
  await expect(open(1, 1)).rejects.toMatchObject(busy)
  await open(1, 2)
  elsewhere()
  await expect(open(1, 3)).rejects.toMatchObject(busy)
  expect(await (await open(2, 1)).next()).toHaveLength(10)
  await other.close()
  expect(await (await open(1, 3)).next()).toHaveLength(10)
})

test('A18: an unread cursor gives its place back when the database ends its session', async () => {
  const cursors = await fillPlaces()
  const sessions = await openTransactions()
  expect(sessions).toHaveLength(5)
  for (const { pid } of sessions) await database.query('select pg_terminate_backend($1::int)', [pid])
  await expectAllFree()
  for (const cursor of cursors) {
    expect(cursor.lost.aborted).toBe(true)
    await expect(cursor.next()).rejects.toThrow()
  }
})

test('A18: an unread cursor gives its place back when its reader leaves', async () => {
  const requests = Array.from({ length: 5 }, () => new AbortController())
  await fillPlaces(requests.map(({ signal }) => ({ signal })))
  for (const request of requests) request.abort()
  await expectAllFree()
})

test('A18: a reader that leaves while its cursor opens takes it along', async () => {
  const request = new AbortController()
  const opening = open(1, 1, { signal: request.signal })
  request.abort()
  const cursor = await opening
  await expect(cursor.next()).rejects.toThrow('gone')
  await expectAllFree()
})

test('A18: does not ask the database for a reader that has already left', async () => {
  const connecting = vi.fn()
  pool().on('acquire', connecting)
  for (let n = 0; n < 20; n++) {
    const cursor = await open(1, 1, { signal: AbortSignal.abort() })
    await expect(cursor.next()).rejects.toThrow('gone')
  }
  pool().off('acquire', connecting)
  expect(connecting).not.toHaveBeenCalled()
})

test('A18: a cursor ends when its time is up, read or not', async () => {
  const limits = { lifeMs: 1_000 }
  const cursors = await fillPlaces(Array(5).fill({ limits }))
  await cursors[0]?.next().catch(() => undefined)
  await expectAllFree()
  for (const cursor of cursors) await expect(cursor.next()).rejects.toMatchObject({ code: 'export-too-slow' })
})

test('A18: a fetch has its own limit, independent of the process’s statement limit', async () => {
  const reader = { userId: '1', signal: new AbortController().signal }
  const query = { text: 'select pg_sleep(1.5)::text as number from generate_series(1, 20) n', values: [] }
  const openSlow = async (batchRows: number, fetchMs: number) => {
    const limits = { ...CURSOR_LIMITS, fetchMs }
    const cursor = await openTenantCursor<{ number: string }>(ORGANIZATION, reader, query, batchRows, limits)
    opened.push(cursor)
    return cursor
  }
  limitStatements(1_000)
  try {
    expect(await (await openSlow(1, 30_000)).next()).toHaveLength(1)
    await expect((await openSlow(20, 2_000)).next()).rejects.toThrow('timeout')
  } finally {
    limitStatements(null)
  }
})

test('A18: a query that cannot start gives its place back', async () => {
  const reader = { userId: '1', signal: new AbortController().signal }
  for (let n = 0; n < 20; n++)
    await expect(openTenantCursor(ORGANIZATION, reader, { text: 'select nothing', values: [] }, 10)).rejects.toThrow(
      'nothing',
    )
  await expectAllFree()
})

test('a cursor leaves no listener on a connection that returns to the pool', async () => {
  for (let n = 0; n < 12; n++) await (await open(1, 1)).close()
  const client = await pool().connect()
  const count = client.listenerCount('error')
  client.release()
  expect(count).toBeLessThanOrEqual(1)
})
