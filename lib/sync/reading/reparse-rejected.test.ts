import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { runReparses } from '#lib/worker/reparse-job.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'
import { listOpenReparses, listReparses, requestReparse, requestReparseAfterUpgrade } from './reparse-wishes.ts'

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  await world.database.query('delete from connection')
  connectionId = (await world.connect('nordlicht')).connectionId
  await syncNow(world, connectionId)
})

type Rejected = {
  raw: string
  raw_hash: string
  reason: string
  resolved_at: Date | null
  last_seen_at: Date
  parser_version: number
}
const rejected = () =>
  world.database.query<Rejected>('select * from rejected_line where connection_id = $1 order by raw_hash', [
    connectionId,
  ])

/** As if an older parser had failed on a line that today's understands. */
async function rejectWronglyOneLine() {
  const [line] = await world.database.query<{ id: string; raw: string }>(
    `with gone as (
       delete from line where connection_id = $1 and id = (select min(id) from line where connection_id = $1 and id not like 'sha256:%')
       returning id)
     delete from line_payload using gone where connection_id = $1 and line_id = gone.id returning gone.id, raw::text as raw`,
    [connectionId],
  )
  await world.database.query(
    `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, record_id, reason, path, first_run_id, parser_version)
     select $1, $2, 'lines', encode(sha256(convert_to($3::text, 'UTF8')), 'hex'), $3, $4, 'not understood', 'quantity', id, 0
     from sync_run where connection_id = $2 limit 1`,
    [world.organizationId, connectionId, line?.raw, line?.id],
  )
}

const read = () => runReparses(new AbortController().signal)
const state = async (id = connectionId) =>
  (await listReparses(world.organizationId)).find((each) => each.connectionId === id)

test('F23: what can be read now goes into the ledger byte for byte; the rest stays, with today’s reason', async () => {
  const before = await rejected()
  expect(before.length).toBeGreaterThan(0)
  await world.database.query(`update rejected_line set reason = 'said otherwise'`)
  await rejectWronglyOneLine()
  await requestReparse(world.organizationId, connectionId, personOf(world.userId))
  expect(await state()).toMatchObject({ isUnderWay: true, finishedAt: null, openCount: before.length + 1 })
  await read()
  expect(await state()).toEqual({
    connectionId,
    connectionName: 'Nordlicht GmbH',
    openCount: before.length,
    isUnderWay: false,
    finishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    requestedBy: 'Ada Admin',
    isFailed: false,
    accepted: 1,
    stillRejected: before.length,
  })
  await expectUpstream(world, connectionId, 'nordlicht')
  const after = (await rejected()).filter(({ resolved_at }) => resolved_at === null)
  expect(after.map(({ reason, last_seen_at }) => ({ reason, last_seen_at }))).toEqual(
    before.map(({ reason, last_seen_at }) => ({ reason, last_seen_at })),
  )
})

test('F23: after an upgrade the worker reads again only what an older parser rejected', async () => {
  await rejectWronglyOneLine()
  await world.database.query(`update rejected_line set reason = 'untouched' where parser_version > 0`)
  await requestReparseAfterUpgrade()
  await read()
  expect(await state()).toMatchObject({ requestedBy: null, accepted: 1, stillRejected: 0 })
  await expectUpstream(world, connectionId, 'nordlicht')
  const open = (await rejected()).filter(({ resolved_at }) => resolved_at === null)
  expect(new Set(open.map(({ reason }) => reason))).toEqual(new Set(['untouched']))
  const versions = (await rejected()).map(({ parser_version }) => parser_version)
  expect(Math.min(...versions)).toBeGreaterThan(0)
  await requestReparseAfterUpgrade()
  expect(await listOpenReparses()).toEqual([])
})

test('F23: requests for one connection join, even while a worker reads, and none waits for it', async () => {
  const wish = () => requestReparse(world.organizationId, connectionId, personOf(world.userId))
  const answers = await Promise.all([wish(), wish(), wish()])
  expect(answers.filter(({ joined }) => !joined)).toHaveLength(1)
  const other = new pg.Client({ connectionString: world.database.url, options: '-c tieout.scope=system' })
  await other.connect()
  await other.query('begin')
  await other.query('select from rejected_line where organization_id = $1 for update', [world.organizationId])
  const reading = read()
  // the worker is in the middle of its batch, waiting for rows the other session holds
  await expect.poll(() => isWaiting(world.database, 'rejected_line'), { timeout: 10_000, interval: 20 }).toBe(true)
  expect(await wish()).toEqual({ joined: true })
  expect(await world.database.query('select finished_at from reparse_wish')).toEqual([{ finished_at: null }])
  await other.query('rollback')
  await other.end()
  await reading
  expect(await state()).toMatchObject({ isUnderWay: false, isFailed: false })
  expect(await wish()).toEqual({ joined: false })
  await read()
  // the earlier result is no longer of use
  expect(await world.database.query('select finished_at is not null as done from reparse_wish')).toEqual([
    { done: true },
  ])
})

test('F23: a request that cannot be done ends, says so, and holds up no other', async () => {
  const { connectionId: second } = await world.connect('meridian')
  await syncNow(world, second)
  await rejectWronglyOneLine()
  await world.database.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'a bug of ours'; end $$`,
  )
  await world.database.query(
    `create trigger refuse before insert on line for each row when (new.connection_id = '${connectionId}') execute function refuse()`,
  )
  try {
    const open = (await rejected()).filter(({ resolved_at }) => resolved_at === null)
    for (const id of [connectionId, second]) await requestReparse(world.organizationId, id, personOf(world.userId))
    await read()
    expect(await state()).toMatchObject({ isUnderWay: false, isFailed: true, openCount: open.length })
    expect(await state(second)).toMatchObject({ isUnderWay: false, isFailed: false })
    expect(await listOpenReparses()).toEqual([])
  } finally {
    await world.database.query('drop function refuse cascade')
  }
  await requestReparse(world.organizationId, connectionId, personOf(world.userId))
  await read()
  expect(await state()).toMatchObject({ isFailed: false, accepted: 1 })
})

test('A8: the rejected records of another organization are neither read nor shown', async () => {
  await rejectWronglyOneLine()
  const stranger = await seedOrganization(world.database.query, 'Stranger')
  await expect(requestReparse(stranger.organizationId, connectionId, personOf(stranger.userId))).rejects.toThrow(
    /foreign key/,
  )
  expect(await listReparses(stranger.organizationId)).toEqual([])
})
