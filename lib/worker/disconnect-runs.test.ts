/** Runs of a disconnected account: after any of them, the next reading covers everything. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { getConnection } from '#lib/connections/life/list-connections.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { OPEN_STATUSES, RUN_STATUSES } from '#lib/connections/runs/run-status.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { getOpenLoss } from '#lib/sync/losses/decide-loss.ts'
import { controlRun } from '#lib/sync/runs/control-run.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { acceptLoss } from '#lib/sync/test-support/test-accept-loss.ts'
import { expectUpstream } from '#lib/sync/test-support/test-upstream.ts'
import { runConnectionWork } from './connection-job.ts'

const LINES = '/api/v1/invoices/lines'
const NOW = () => new Date('2026-11-20T12:00:00Z')

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 20 })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  await world.database.query('delete from connection')
  ;({ connectionId } = await world.connect('meridian'))
})

const addFault = (fault: Parameters<ReturnType<SyncWorld['sandbox']['state']>['faults']['add']>[0]) =>
  world.sandbox.state().faults.add(fault)
/** The account is longer than a window: only a full sync reads all of it. */
const sync = (atCommit?: { count: number; act: () => void }) => {
  let commits = 0
  return syncNow(world, connectionId, {
    now: NOW,
    timing: { ...QUICK_TIMING, windowRecords: 10, completeWindowRecords: 10_000, lookBackDays: 1 },
    failpoint: (name) => {
      if (name !== 'after-commit') return
      commits += 1
      if (commits === atCommit?.count) atCommit.act()
    },
  })
}
const control = (what: 'pause' | 'resume' | 'cancel') => controlRun(world.organizationId, connectionId, what)
const disconnect = (dataChoice: 'keep' | 'delete') =>
  requestDisconnect(world.organizationId, connectionId, { dataChoice, actor: personOf(world.userId) })
const read = () => getConnection(world.organizationId, connectionId)
async function interruptedBy(what: 'pause' | 'cancel') {
  let interruption: Promise<unknown> = Promise.resolve()
  const { outcome } = await sync({
    count: 4,
    act: () => {
      interruption = control(what)
    },
  })
  expect({ outcome, run: await interruption }).toMatchObject({ outcome: 'fenced', run: { runId: expect.any(String) } })
}

type Situation = { status: string; bring: () => Promise<void> }

/** Every status a run can have, some reached in several ways. */
const SITUATIONS: Record<string, Situation> = {
  'is queued': { status: 'queued', bring: async () => undefined },
  'is being read by a worker that died': {
    status: 'running',
    bring: async () => {
      await sync({
        count: 4,
        act: () => addFault({ match: { path: '/api/v1/*' }, times: 0, action: { type: 'drop_before' } }),
      })
      await world.database.query(
        `update sync_run set error_code = null, error_text = null, lease_until = now() + interval '1 hour'`,
      )
    },
  },
  'waits to be tried again': {
    status: 'running',
    bring: async () => {
      addFault({ match: { path: LINES }, nth: 2, times: 0, action: { type: 'status', status: 500 } })
      expect((await sync()).outcome).toBe('postponed')
    },
  },
  'is paused': { status: 'paused', bring: () => interruptedBy('pause') },
  'has succeeded': {
    status: 'succeeded',
    bring: async () => {
      expect((await sync()).outcome).toBe('succeeded')
    },
  },
  'holds a loss': {
    status: 'held',
    bring: async () => {
      await sync()
      for (const path of ['/api/v1/invoices', LINES])
        addFault({ match: { path }, times: 0, action: { type: 'empty_list' } })
      expect((await sync()).outcome).toBe('held')
    },
  },
  'has failed': {
    status: 'failed',
    bring: async () => {
      addFault({ match: { path: LINES }, nth: 2, times: 0, action: { type: 'status', status: 403 } })
      expect((await sync()).outcome).toBe('failed')
    },
  },
  'has failed because its link was lost': {
    status: 'failed',
    bring: async () => {
      const end = () => world.sandbox.state().oauth.disable('meridian')
      expect((await sync({ count: 4, act: end })).outcome).toBe('failed')
      expect(await read()).toMatchObject({ state: 'needs_reconnect' })
    },
  },
  'was canceled': { status: 'canceled', bring: () => interruptedBy('cancel') },
}

test('the situations cover every status a run can have', () => {
  expect([...new Set(Object.values(SITUATIONS).map(({ status }) => status))].sort()).toEqual([...RUN_STATUSES].sort())
})

const CASES = (['keep', 'delete'] as const).flatMap((choice) =>
  Object.entries(SITUATIONS).map(([how, situation]) => [choice, how, situation] as const),
)

test.each(CASES)(
  'F16: disconnected (%s) while its run %s, then reconnected: the ledger equals the platform’s',
  async (choice, _, { status, bring }) => {
    await bring()
    expect((await read())?.run?.status).toBe(status)
    world.sandbox.state().faults.clear()
    expect(await disconnect(choice)).toBe('accepted')
    await runConnectionWork(new AbortController().signal)
    expect((await read())?.state).toBe('disconnected')
    // no click can make a run continue
    expect(await world.database.query('select 1 from sync_run where status = any($1)', [OPEN_STATUSES])).toEqual([])
    expect(await control('resume')).toBeNull()
    await expect(
      requestSync(world.organizationId, connectionId, { trigger: 'manual', requestedBy: null }),
    ).rejects.toMatchObject({ code: 'connection-disconnected' })
    const loss = await getOpenLoss(world.organizationId, connectionId)
    expect(loss === null).toBe(!(choice === 'keep' && status === 'held'))

    await world.reconnect('meridian', connectionId)
    expect((await read())?.state).toBe('active')
    const { outcome, runId } = await sync()
    expect(outcome).toBe('succeeded')
    await expectUpstream(world, connectionId, 'meridian')
    expect(await read()).toMatchObject({ name: expect.stringContaining('Meridian'), run: { id: runId } })
  },
)

test('F16: no statement can continue a paused run whose data was deleted', async () => {
  await interruptedBy('pause')
  await disconnect('delete')
  await runConnectionWork(new AbortController().signal)
  await expect(world.database.query(`update sync_run set status = 'queued'`)).rejects.toThrow(/sync_run_of_erased_data/)
})

test('a held loss ends when its data is deleted', async () => {
  await SITUATIONS['holds a loss']?.bring()
  const loss = await getOpenLoss(world.organizationId, connectionId)
  await disconnect('delete')
  await runConnectionWork(new AbortController().signal)
  expect(await getOpenLoss(world.organizationId, connectionId)).toBeNull()
  const actor = personOf(world.userId)
  expect(await acceptLoss(world.organizationId, connectionId, loss?.runId ?? '', actor)).toBe('over')
})
