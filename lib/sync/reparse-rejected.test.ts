import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seedOrganization } from '../ledger/seed.ts'
import { reparseAfterUpgrade, reparseRejected } from './reparse-rejected.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from './seed.ts'
import { expectUpstream } from './test-upstream.ts'

let world: SyncWorld
let connectionId: string

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

/** As if an older parser had not understood a line that today's understands. */
async function rejectWronglyOneLine() {
  const [line] = await world.database.query<{ id: string; raw: string }>(
    `delete from line where connection_id = $1 and id = (select min(id) from line where connection_id = $1 and id not like 'sha256:%')
     returning id, raw::text as raw`,
    [connectionId],
  )
  await world.database.query(
    `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, record_id, reason, path, first_run_id, parser_version)
     select $1, $2, 'lines', encode(sha256(convert_to($3::text, 'UTF8')), 'hex'), $3, $4, 'not understood', 'quantity', id, 0
     from sync_run where connection_id = $2 limit 1`,
    [world.organizationId, connectionId, line?.raw, line?.id],
  )
}

test('F23: what can be read now goes into the ledger byte for byte, and what cannot stays, with its reason of today', async () => {
  const before = await rejected()
  expect(before.length).toBeGreaterThan(0)
  await world.database.query(`update rejected_line set reason = 'said otherwise'`)
  await rejectWronglyOneLine()
  expect(await reparseRejected(world.organizationId)).toEqual({ accepted: 1, stillRejected: before.length })
  await expectUpstream(world, connectionId, 'nordlicht')
  const after = (await rejected()).filter(({ resolved_at }) => resolved_at === null)
  expect(after.map(({ reason, last_seen_at }) => ({ reason, last_seen_at }))).toEqual(
    before.map(({ reason, last_seen_at }) => ({ reason, last_seen_at })),
  )
})

test('F23: after an upgrade the worker reads again what an older parser has rejected, and nothing else', async () => {
  await rejectWronglyOneLine()
  await world.database.query(`update rejected_line set reason = 'untouched' where parser_version > 0`)
  await reparseAfterUpgrade()
  await expectUpstream(world, connectionId, 'nordlicht')
  const open = (await rejected()).filter(({ resolved_at }) => resolved_at === null)
  expect(new Set(open.map(({ reason }) => reason))).toEqual(new Set(['untouched']))
  const versions = (await rejected()).map(({ parser_version }) => parser_version)
  expect(Math.min(...versions)).toBeGreaterThan(0)
})

test('A8: the rejected records of another organization are not read', async () => {
  await rejectWronglyOneLine()
  const stranger = await seedOrganization(world.database.query, 'Stranger')
  expect(await reparseRejected(stranger.organizationId, { connectionId })).toEqual({ accepted: 0, stillRejected: 0 })
})
