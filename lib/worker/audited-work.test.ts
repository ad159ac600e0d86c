import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyChain } from '#lib/audit/chain.ts'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { getAccessToken } from '#lib/connections/tokens/access-token.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { runConnectionWork } from './connection-job.ts'

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  ;({ connectionId } = await world.connect('meridian'))
  await syncNow(world, connectionId)
})

type Told = { actor_kind: string; action: string; subject_name: string | null; after: string | null }

/** What the audit tells of the connection beyond its connecting: who, what, and what became. */
const told = async () => {
  const entries = await world.database.query<Told>(
    `select actor_kind, action, subject_name, after from audit_entry
     where subject_kind = 'connection' and subject_id = $1 order by number`,
    [connectionId],
  )
  return entries
    .filter(({ action }) => action !== 'connection.connected' && action !== 'sync.started')
    .map(({ actor_kind: who, action, after }) => ({ who, action, after: after && JSON.parse(after) }))
}
const work = () => runConnectionWork(new AbortController().signal)

test('the audit tells of a disconnect by a person, and of its end by the worker, under the account’s name', async () => {
  await requestDisconnect(world.organizationId, connectionId, { dataChoice: 'delete', actor: personOf(world.userId) })
  await work()
  expect(await told()).toMatchObject([
    { who: 'person', action: 'connection.disconnect-requested', after: { data: 'delete' } },
    { who: 'program', action: 'connection.link-ended', after: { outcome: 'revoked', isInDoubt: false } },
    { who: 'program', action: 'connection.data-deleted', after: { rows: expect.any(Number) } },
    { who: 'program', action: 'connection.disconnected', after: { data: 'delete' } },
  ])
  const [named] = await world.database.query(
    `select subject_name as name from audit_entry where action = 'connection.disconnected' and subject_id = $1`,
    [connectionId],
  )
  expect(named?.name).toMatch(/Meridian/)
})

test('the audit tells of a link that is lost once, and of the reconnect that mends it', async () => {
  world.sandbox.state().faults.add({
    match: { path: '/accounts/oauth2/token/' },
    action: { type: 'status', status: 400, when: 'before', body: '{"error":"invalid_grant"}' },
  })
  await world.database.query(`update connection_credential set access_expires_at = now() - interval '1 minute'`)
  for (let again = 0; again < 2; again++)
    await expect(getAccessToken(world.organizationId, connectionId)).rejects.toThrow()
  world.sandbox.state().faults.clear()
  await world.reconnect('meridian', connectionId)
  expect(await told()).toMatchObject([
    { who: 'program', action: 'connection.lost', after: { cause: 'revoked_or_reused' } },
    { who: 'person', action: 'connection.reconnect-consented' },
    { who: 'program', action: 'connection.reconnected' },
  ])
})

test('the audit tells of another account, and that nobody kept it', async () => {
  await world.reconnect('nordlicht', connectionId)
  await world.database.query(`update connection_candidate set access_expires_at = now() - interval '1 second'`)
  await work()
  expect(await told()).toMatchObject([
    { who: 'person', action: 'connection.reconnect-consented' },
    { who: 'program', action: 'connection.other-account-found', after: { profiles: expect.any(Number) } },
    { who: 'program', action: 'connection.candidate-expired' },
  ])
})

test('A23: after all this the chain holds, and no token is in it', async () => {
  expect(await verifyChain(world.organizationId)).toMatchObject({ kind: 'holds', from: 1 })
  const entries = JSON.stringify(await world.database.query('select * from audit_entry'))
  const tokens = world.sandbox.state().oauth.everIssued()
  expect(tokens.length).toBeGreaterThan(0)
  expect(tokens.filter((token) => entries.includes(token))).toEqual([])
})
