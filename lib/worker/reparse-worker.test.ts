import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { hashText } from '#lib/hash-text.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { requestReparse } from '#lib/sync/reading/reparse-wishes.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { runReparses } from './reparse-job.ts'
import { startWorkerProcess, type WorkerProcess } from './test-support/test-worker-process.ts'

const RECORDS = 500

let world: SyncWorld
let connectionId: ConnectionId
let workers: WorkerProcess[]

beforeEach(async () => {
  world = await seedSyncWorld()
  workers = []
  connectionId = (await world.connect('meridian')).connectionId
  await syncNow(world, connectionId)
  await rejectMany()
})
afterEach(async () => {
  for (const worker of workers) {
    worker.kill('SIGKILL')
    await worker.exited
  }
  await world.close()
})

function start(): WorkerProcess {
  const worker = startWorkerProcess(world)
  workers.push(worker)
  return worker
}

/** Makes copies of one line, as if an older parser had rejected them. */
async function rejectMany(): Promise<void> {
  await world.database.query('delete from rejected_line')
  const [line] = await world.database.query<{ raw: string }>(
    `select raw::text as raw from line_payload where line_id not like 'sha256:%' limit 1`,
  )
  const raws = Array.from({ length: RECORDS }, (_, at) =>
    (line?.raw ?? '').replace(/"id"\s*:\s*("[^"]*"|\d+)/, `"id": "copy-${at}"`),
  )
  await world.database.query(
    `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, reason, path, first_run_id)
     select r.organization_id, r.connection_id, 'lines', j.hash, j.raw, 'not understood', 'quantity', r.id
     from sync_run r, json_to_recordset($1) as j (hash text, raw text) where r.connection_id = $2`,
    [JSON.stringify(raws.map((raw) => ({ raw, hash: hashText(raw) }))), connectionId],
  )
}

async function count(): Promise<Record<string, unknown> | undefined> {
  const [found] = await world.database.query(
    `select w.accepted, w.finished_at is not null as done,
       (select count(*)::int from line where id like 'copy-%') as lines,
       (select count(*)::int from rejected_line where resolved_at is null) as open
     from reparse_wish w where connection_id = $1`,
    [connectionId],
  )
  return found
}

test('F23: kill -9 while reading rejected records again loses nothing, and the next worker continues', async () => {
  const other = new pg.Client({ connectionString: world.database.url, options: '-c tieout.scope=system' })
  await other.connect()
  // a worker that reaches the third batch waits there, in its transaction
  await other.query('begin')
  await other.query('select from rejected_line order by raw_hash desc limit 1 for update')
  await requestReparse(world.organizationId, connectionId, personOf(world.userId))
  const doomed = start()
  await expect
    .poll(count, { timeout: 30_000, interval: 50 })
    .toEqual({ accepted: 400, done: false, lines: 400, open: 100 })
  await expect.poll(() => isWaiting(world.database, 'rejected_line'), { timeout: 10_000, interval: 20 }).toBe(true)
  doomed.kill('SIGKILL')
  await doomed.exited
  await other.query('rollback')
  await other.end()
  expect(await count()).toEqual({ accepted: 400, done: false, lines: 400, open: 100 })
  start()
  await expect
    .poll(count, { timeout: 30_000, interval: 50 })
    .toEqual({ accepted: RECORDS, done: true, lines: RECORDS, open: 0 })
})

test('F23: workers reading rejected records again at once share the work: each record exactly once', async () => {
  await requestReparse(world.organizationId, connectionId, personOf(world.userId))
  const { signal } = new AbortController()
  await Promise.all([1, 2, 3, 4].map(() => runReparses(signal)))
  await runReparses(signal)
  expect(await count()).toEqual({ accepted: RECORDS, done: true, lines: RECORDS, open: 0 })
})
