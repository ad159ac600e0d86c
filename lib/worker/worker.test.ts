import { getPriority } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import type { RunId } from '#lib/ids.ts'
import { setCheck } from '#lib/ledger/rules/change-rules.ts'
import { type SyncWorld, seedSyncWorld } from '#lib/sync/test-support/seed.ts'
import { dataCalls, expectUpstream } from '#lib/sync/test-support/test-upstream.ts'
import { startWorkerProcess, type WorkerProcess } from './test-support/test-worker-process.ts'

let world: SyncWorld
let workers: WorkerProcess[]

beforeEach(async () => {
  world = await seedSyncWorld({ pageSize: 10 })
  workers = []
})
afterEach(async () => {
  for (const worker of workers) {
    worker.kill('SIGKILL')
    await worker.exited
  }
  await world.close()
})

/** Looks for dead workers' runs more often than a real one. Of two flags the last counts. */
function start(...flags: string[]): WorkerProcess {
  const worker = startWorkerProcess(world, ['--sweep-ms=250', ...flags])
  workers.push(worker)
  return worker
}

async function readRun(runId: RunId) {
  const [run] = await world.database.query('select * from sync_run where id = $1', [runId])
  return run as Record<string, unknown>
}

function expectSuccess(runId: RunId) {
  return expect.poll(async () => (await readRun(runId)).status, { timeout: 30_000, interval: 100 }).toBe('succeeded')
}

test.each(['before-request', 'after-response', 'before-commit', 'after-commit'])(
  'F19: after kill -9 at %s, early or late, the next worker ends equal to upstream, no line twice',
  async (place) => {
    const { connectionId, runId } = await world.connect('nordlicht')
    for (const count of [2, 20]) {
      const doomed = start(`--failpoint=${place}:${count}=kill`, '--lease-seconds=1', '--group-pages=1')
      expect(await doomed.exited).toBe('SIGKILL')
      expect(await readRun(runId)).toMatchObject({ status: 'running' })
    }
    const pages = await world.database.query<{ pages: number }>('select count(*)::int as pages from sync_page')
    expect(pages[0]?.pages).toBeGreaterThan(5)
    start('--lease-seconds=1', '--group-pages=1')
    await expectSuccess(runId)
    await expectUpstream(world, connectionId, 'nordlicht')
    // each page was committed once: what a killed worker committed was not applied again
    expect(await readRun(runId)).toMatchObject({ duplicate: 0, updated: 0, unchanged: 0, fence: '3' })
  },
)

test('F19: kill -9 in the middle of a group of pages loses nothing and stores no page by half', async () => {
  const { connectionId, runId } = await world.connect('nordlicht')
  for (const count of [3, 5]) {
    const doomed = start(`--failpoint=before-commit:${count}=kill`, '--lease-seconds=1', '--group-pages=4')
    expect(await doomed.exited).toBe('SIGKILL')
  }
  start('--lease-seconds=1', '--group-pages=4')
  await expectSuccess(runId)
  await expectUpstream(world, connectionId, 'nordlicht')
  expect(await readRun(runId)).toMatchObject({ duplicate: 0, updated: 0, unchanged: 0, fence: '3' })
})

test('a running worker takes a requested run at once, without waiting for a sweep', async () => {
  const { runId } = await world.connect('meridian')
  await start('--sweep-ms=60000').ready
  await expectSuccess(runId)
  const { connectionId } = await world.connect('nordlicht')
  const [run] = await world.database.query<{ id: string }>('select id from sync_run where connection_id = $1', [
    connectionId,
  ])
  await expectSuccess(run?.id as string)
  await expectUpstream(world, connectionId, 'nordlicht')
  const [wait] = await world.database.query<{ ms: number }>(
    `select extract(milliseconds from started_at - requested_at)::int as ms from sync_run where id = $1`,
    [run?.id],
  )
  expect(wait?.ms).toBeLessThan(2500)
})

test('months whose lines a changed check judges otherwise are summed again at once, not within the hour', async () => {
  const { runId } = await world.connect('nordlicht')
  await start().ready
  await expectSuccess(runId)
  const readSums = async () => {
    const [sums] = await world.database.query<Record<'months' | 'all', { lines: number; findings: number }>>(
      `select (select json_build_object('lines', sum(line_count), 'findings', sum(finding_count))
               from month_sum where grain = 'month') as months,
              (select json_build_object('lines', sum(line_count), 'findings', sum(finding_count))
               from line_rollup where grain = 'service') as all`,
    )
    return sums
  }
  const soon = { timeout: 30_000, interval: 100 }
  await expect.poll(async () => (await readSums())?.months, soon).toEqual((await readSums())?.all)
  const before = await readSums()
  const { organizationId, userId } = world
  await setCheck({ organizationId, actor: personOf(userId) }, 'line_total', { level: 'note', tolerance: {} })
  await expect.poll(async () => (await readSums())?.all.findings, soon).toBeLessThan(before?.all.findings as number)
  const { all } = (await readSums()) as { all: object }
  await expect.poll(async () => (await readSums())?.months, soon).toEqual(all)
})

test('a worker leaves the processor to whoever answers a page', async () => {
  const worker = start()
  await worker.ready
  expect(getPriority(worker.pid)).toBeGreaterThan(getPriority())
})

test('F29: a worker that loses every database connection still takes the next wish', async () => {
  const worker = start()
  await worker.ready
  await world.database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const { connectionId, runId } = await world.connect('meridian')
  await expectSuccess(runId)
  await expectUpstream(world, connectionId, 'meridian')
  worker.kill('SIGTERM')
  expect(await worker.exited).toBe(0)
})

test('two worker processes share the work and read every account once', async () => {
  const runs = await Promise.all([world.connect('nordlicht'), world.connect('meridian'), world.connect('meridian')])
  start()
  start()
  for (const { runId } of runs) await expectSuccess(runId)
  await expectUpstream(world, runs[0].connectionId, 'nordlicht')
  await expectUpstream(world, runs[1].connectionId, 'meridian')
  await expectUpstream(world, runs[2].connectionId, 'meridian')
  expect(dataCalls(world).filter(({ list }) => list === '/profiles')).toHaveLength(3)
})

test('F9: SIGTERM ends the worker after its page, and the next one continues without waiting for a lease', async () => {
  const { connectionId, runId } = await world.connect('nordlicht')
  world.sandbox.state().faults.add({
    // by its place, not its number: on a busy machine pages are not asked for in order
    match: { path: '/api/v1/invoices/lines', pattern: '[?&]offset=40(&|$)' },
    times: 1,
    action: { type: 'delay', ms: 60_000 },
  })
  const first = start()
  await expect.poll(async () => (await readRun(runId)).lines_received, { timeout: 30_000 }).toBe(40)
  first.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  expect(await readRun(runId)).toMatchObject({ status: 'running', lease_until: null })
  start()
  await expectSuccess(runId)
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('A16: no token is in a job row, a run, a rejected record, or anything the worker writes', async () => {
  const { connectionId, runId } = await world.connect('nordlicht')
  world.sandbox.state().faults.add({
    match: { path: '/api/v1/invoices/lines' },
    nth: 3,
    action: { type: 'status', status: 401 },
  })
  const worker = start()
  await expectSuccess(runId)
  await requestSync(world.organizationId, connectionId, { trigger: 'manual', requestedBy: personOf(world.userId) })
  await expect
    .poll(async () => world.database.query(`select 1 from sync_run where status = 'succeeded'`), { timeout: 30_000 })
    .toHaveLength(2)
  const tables = await world.database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  )
  let stored = worker.output()
  for (const { name } of tables) {
    const rows = await world.database.query<{ row: string }>(`select t::text as row from ${name} t`)
    stored += rows.map(({ row }) => row).join('\n')
  }
  const secrets = [...world.sandbox.state().oauth.everIssued(), world.partner.clientSecret.reveal()]
  expect(secrets.length).toBeGreaterThan(4)
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([])
})

test('refuses to start with a key that cannot open what the web process seals', async () => {
  const other = await seedSyncWorld()
  const { TOKEN_PRIVATE_KEYS } = other.environment
  await other.close()
  const worker = startWorkerProcess({
    ...world,
    environment: { ...world.environment, TOKEN_PRIVATE_KEYS: TOKEN_PRIVATE_KEYS as string },
  })
  workers.push(worker)
  expect(await worker.exited).toBe(1)
  expect(worker.output()).toContain('no private key has the id of the sealed tokens')
})
