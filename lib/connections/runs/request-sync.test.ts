import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { pool } from '#lib/db/pool.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { WAKE_CHANNEL } from '#lib/db/work/wake.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { claimRun } from '#lib/sync/runs/run-store.ts'
import { requestSync, requestSyncSql } from './request-sync.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
})
afterAll(() => database.drop())

const wish = () => ({ trigger: 'manual', requestedBy: personOf(owner.userId) }) as const

test('many wishes at once lead to one run, and each is told its id', async () => {
  const connectionId = await seedConnection(database.query, owner)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => requestSync(owner.organizationId, connectionId, wish())),
  )
  expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1)
  expect(answers.filter(({ joined }) => !joined)).toHaveLength(1)
})

test('a wish after a run has ended starts another', async () => {
  const connectionId = await seedConnection(database.query, owner)
  const first = await requestSync(owner.organizationId, connectionId, wish())
  await database.query(`update sync_run set status = 'succeeded' where id = $1`, [first.runId])
  const second = await requestSync(owner.organizationId, connectionId, wish())
  expect(second.joined).toBe(false)
  expect(second.runId).not.toBe(first.runId)
})

test('wakes the worker exactly when the wish’s transaction commits', async () => {
  const connectionId = await seedConnection(database.query, owner)
  const listener = await pool().connect()
  let wakes = 0
  listener.on('notification', () => {
    wakes += 1
  })
  try {
    await listener.query(`listen ${WAKE_CHANNEL}`)
    const rolledBack = withTenantSql(owner.organizationId, async (sql) => {
      await requestSyncSql(sql, owner.organizationId, connectionId, { ...wish(), requestedBy: owner.userId })
      throw new Error('changed its mind')
    })
    await expect(rolledBack).rejects.toThrow('changed its mind')
    expect(await database.query('select 1 from sync_run where connection_id = $1', [connectionId])).toEqual([])
    await listener.query('select 1')
    expect(wakes).toBe(0)
    const { joined } = await withTenantSql(owner.organizationId, (sql) =>
      requestSyncSql(sql, owner.organizationId, connectionId, { ...wish(), requestedBy: owner.userId }),
    )
    expect(joined).toBe(false)
    await expect.poll(() => wakes).toBe(1)
  } finally {
    listener.release(true)
  }
})

test('F16: an incremental sync requested after the data was deleted reads everything', async () => {
  const connectionId = await seedConnection(database.query, owner)
  const { runId } = await requestSync(owner.organizationId, connectionId, { ...wish(), kind: 'verification' })
  const settle = (set: string) => database.query(`update sync_run set ${set} where id = $1`, [runId])
  await settle(`status = 'succeeded'`)
  const next = await requestSync(owner.organizationId, connectionId, wish())
  const kind = async () => (await database.query('select kind from sync_run where id = $1', [next.runId]))[0]?.kind
  expect(await kind()).toBe('incremental')
  await settle('data_erased_at = now()')
  expect(await claimRun(owner.organizationId, next.runId, 1000)).toMatchObject({ kind: 'backfill' })
  expect(await kind()).toBe('backfill')
})

test('A8: a connection of another organization cannot be synced', async () => {
  const stranger = await seedOrganization(database.query, 'Stranger')
  const connectionId = await seedConnection(database.query, owner)
  await expect(requestSync(stranger.organizationId, connectionId, wish())).rejects.toThrow()
  expect(await database.query('select 1 from sync_run where connection_id = $1', [connectionId])).toEqual([])
})
