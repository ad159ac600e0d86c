import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { removePageBatch } from '../pages/remove-old-pages.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { acceptLoss } from '../test-support/test-accept-loss.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'

const NOW = () => new Date('2026-11-20T12:00:00Z')
let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  connectionId = (await world.connect('nordlicht')).connectionId
})
afterAll(() => world.close())

const sync = (windowRecords = 1000) =>
  syncNow(world, connectionId, { now: NOW, timing: { ...QUICK_TIMING, windowRecords } })

/** Makes everything stored months older. */
async function waitMonths(): Promise<void> {
  const columns = {
    sync_run: ['requested_at', 'started_at', 'finished_at'],
    sync_page: ['committed_at'],
    line: ['first_seen_at'],
    invoice: ['first_seen_at'],
  }
  // by no function that depends on a setting: a cluster takes none of a column in an UPDATE
  const toEarlier = (moment: string) =>
    `${moment} = (${moment} at time zone 'UTC' - interval '60 days') at time zone 'UTC'`
  for (const [table, moments] of Object.entries(columns))
    await world.database.query(`update ${table} set ${moments.map(toEarlier).join(', ')}`)
  await world.database.query('update arrival_sum set seen_on = seen_on - 60')
}

async function keepHouse(): Promise<void> {
  for (let left = true; left; ) left = (await removePageBatch()).runs > 0
}

const runsWithPages = async () =>
  (await world.database.query<{ id: string }>('select distinct run_id as id from sync_page')).map(({ id }) => id).sort()

test('F25: a loss can be decided months later, by what it and later runs met', async () => {
  const backfill = await sync()
  await sync()
  const account = world.sandbox.state().requireAccount('nordlicht')
  const gone = account.story.slice(0, 8)
  for (const { serialNumber } of gone) world.sandbox.state().mutations.removeInvoice(account, serialNumber)
  const held = await sync()
  expect(held.outcome).toBe('held')
  // one comes back, and an incremental sync meets it
  const [back] = gone
  account.story.unshift(back as NonNullable<typeof back>)
  world.sandbox.state().mutations.updateInvoice(account, back?.serialNumber as string, { status: 'unpaid' })
  const later = await sync(50)
  expect(later.outcome).toBe('succeeded')

  await waitMonths()
  await keepHouse()
  expect(await runsWithPages()).toEqual([backfill.runId, held.runId, later.runId].sort())
  const actor = personOf(world.userId)
  expect(await acceptLoss(world.organizationId, connectionId, held.runId, actor)).toBe('decided')
  const [marked] = await world.database.query(
    'select count(*)::int as invoices from invoice where missing_since is not null',
  )
  expect(marked).toEqual({ invoices: 7 })
  await expectUpstream(world, connectionId, 'nordlicht')

  // nobody reads the pages any more, and the next sync does not miss them
  await keepHouse()
  expect(await runsWithPages()).toEqual([backfill.runId])
  expect((await sync()).outcome).toBe('succeeded')
  await expectUpstream(world, connectionId, 'nordlicht')
})
