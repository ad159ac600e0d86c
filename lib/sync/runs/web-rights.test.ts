/**
 * What people do on the pages, with the web server's database role alone; the worker's steps in
 * between use its own.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { discardOtherAccount, keepAsNewConnection } from '#lib/connections/life/reconnect-choice.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { sealingKeys } from '#lib/connections/tokens/key-ring.ts'
import { removeScimKey, storeScimKey } from '#lib/connections/tokens/scim-key.ts'
import { switchPool } from '#lib/db/pool.ts'
import { type ConnectionId, parseConnectionId } from '#lib/ids.ts'
import { takeBackLoss } from '../losses/take-back-loss.ts'
import { requestReparse } from '../reading/reparse-wishes.ts'
import { runSync } from '../reading/run-sync.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld } from '../test-support/seed.ts'
import { acceptLoss } from '../test-support/test-accept-loss.ts'
import { controlRun } from './control-run.ts'
import { setSyncSchedule } from './next-sync.ts'
import { takeInvoiceHint } from './take-hint.ts'

let world: SyncWorld

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
})
afterAll(() => world.close())

/**
 * Runs a step as a process does: with its role, which owns nothing and has only the rights in
 * `ACCESS`.
 */
async function as<T>(process: 'web' | 'worker', work: () => Promise<T>): Promise<T> {
  await switchPool(world.database.urls[process])
  return work()
}

async function sync(connectionId: ConnectionId) {
  const { organizationId, partner, userId } = world
  const { runId } = await as('web', () =>
    requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: personOf(userId) }),
  )
  const options = { partner, timing: QUICK_TIMING, signal: new AbortController().signal }
  const outcome = await as('worker', () => runSync({ organizationId, runId }, options))
  return { runId, outcome }
}

test('A24: the web server’s role may do all that people ask for, from connecting to disconnecting', async () => {
  const { organizationId, userId, sandbox } = world
  const { connectionId } = await as('web', () => world.connect('nordlicht'))
  expect((await sync(connectionId)).outcome).toBe('succeeded')

  const account = sandbox.state().requireAccount('nordlicht')
  for (const { serialNumber } of account.story.slice(0, 8))
    sandbox.state().mutations.removeInvoice(account, serialNumber)
  const held = await sync(connectionId)
  expect(held.outcome).toBe('held')
  await as('web', async () => {
    const actor = personOf(userId)
    expect(await acceptLoss(organizationId, connectionId, held.runId, actor)).toBe('decided')
    expect(await takeBackLoss(organizationId, connectionId, held.runId, actor)).toBe(true)
    const [{ serialNumber } = { serialNumber: '' }] = account.story
    expect(await takeInvoiceHint({ serialNumber, profileId: null })).toBe(1)
    for (const control of ['pause', 'resume', 'cancel'] as const)
      expect(await controlRun(organizationId, connectionId, control, personOf(userId))).not.toBeNull()
    expect(await setSyncSchedule({ organizationId, connectionId }, { minutes: 15 }, personOf(userId))).toBe(true)
    expect(await requestReparse(organizationId, connectionId, personOf(userId))).toEqual({ joined: false })

    const key = { changedBy: personOf(userId), publicKeys: sealingKeys() }
    for (const text of ['a first key', 'a second key'])
      expect(await storeScimKey(organizationId, connectionId, text, key)).toBe('stored')
    expect(await requestScimCheck(organizationId, connectionId, personOf(userId))).toMatchObject({ joined: false })
    expect(await removeScimKey(organizationId, connectionId, personOf(userId))).toBe(true)
    expect(
      await requestDisconnect(organizationId, connectionId, { dataChoice: 'delete', actor: personOf(userId) }),
    ).toBe('accepted')
  })
  expect(await world.database.query('select decision, invoices_back from sync_loss')).toEqual([
    { decision: 'accepted', invoices_back: 8 },
  ])
})

test('A24: the web server’s role may keep or drop another account found on reconnecting', async () => {
  const { organizationId, userId, database } = world
  const { connectionId } = await as('web', () => world.connect('meridian'))
  for (const settle of ['keep', 'discard']) {
    // as the worker leaves it when the account is another one
    await database.query(
      `insert into connection_candidate (organization_id, connection_id, status, sealed_for, generation, sealed_tokens, key_id,
         scopes_asked, obtained_at, access_expires_at, refresh_expires_at, consented_by, state_before)
       values ($1, $2, 'other_account', $2, 2, 'sealed', 'key', 'expenses:read', now(), now() + interval '1 hour',
         now() + interval '1 day', $3, 'active')`,
      [organizationId, connectionId, userId],
    )
    await as('web', async () => {
      if (settle === 'discard')
        expect(await discardOtherAccount(organizationId, connectionId, personOf(userId))).toBe(true)
      else
        expect(await keepAsNewConnection(organizationId, connectionId, personOf(userId))).toMatchObject({
          kind: 'kept',
          connectionId: expect.toSatisfy((id: string) => parseConnectionId(id) !== null),
        })
    })
  }
})
