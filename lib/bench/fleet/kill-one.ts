/** kill -9 of one web server and one worker while people read and write and accounts are read. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { OwnWeb } from '#lib/world/own-web.ts'
import { findWrites, type Writes, writeComments } from './comments.ts'
import type { Fleet } from './open-fleet.ts'
import { type Load, putLoad } from './page-load.ts'
import { type Runs, readRuns } from './read-runs.ts'
import { type Account, waitForRuns } from './sync-waves.ts'

const READERS = 8
const WRITERS = 4
const BEFORE_MS = 4_000
/** As systemd does by the units in docs/deploy. */
const RESTART_AFTER_MS = 2_000
const AFTER_MS = 6_000
const FIRST_LINE_WITHIN_MS = 60_000

/** Requests as nginx logged them. `passedOn`: another web server answered when the first died. */
type Logged = { answered: number; passedOn: number; failed: number; failedElsewhere: number; byRestarted: number }

export type Killed = { load: Load; writes: Writes; logged: Logged; runs: Runs; seconds: number }

/**
 * While the first backfills of these accounts run. @throws CommandError when one does not succeed.
 */
export async function killOne(lifetime: Lifetime, fleet: Fleet, accounts: Account[]): Promise<Killed> {
  const { signal } = lifetime
  const { webs, doors } = fleet
  const workers = [fleet.startWorker('direct'), fleet.startWorker('direct')]
  lifetime.onEnd('Workers', async (isForced) => {
    await Promise.all(workers.map((worker) => worker.stop(isForced)))
  })
  const door = doors.direct.all
  const load = putLoad(door.url, { cookies: fleet.cookies, connections: READERS, seconds: 600 })
  const isOver = new AbortController()
  const writing = Promise.all(
    fleet.cookies.slice(0, WRITERS).map((cookie, at) => {
      return writeComments({ url: door.url, cookie, ledger: fleet.ledger, writer: at }, isOver.signal)
    }),
  )
  const begun = performance.now()
  await waitForLines(accounts, signal)
  await delay(BEFORE_MS, undefined, { signal })
  const [victim, worker] = [webs[1] as OwnWeb, workers[0]]
  process.kill(victim.pid, 'SIGKILL')
  process.kill(worker?.pid as number, 'SIGKILL')
  await delay(RESTART_AFTER_MS, undefined, { signal })
  const [restarted] = await Promise.all([fleet.restartWeb(victim.port), workers.push(fleet.startWorker('direct'))])
  const restartedAt = Date.now()
  await waitForRuns(accounts, signal)
  const seconds = (performance.now() - begun) / 1000
  await delay(Math.max(0, restartedAt + AFTER_MS - Date.now()), undefined, { signal })
  isOver.abort()
  load.stop()
  const sent = (await writing).flat()
  const loaded = await load.ended
  await Promise.all(workers.map((each) => each.stop(false)))
  return {
    load: loaded,
    writes: await findWrites(fleet.ledger, sent),
    logged: readLog(door.accessLog, restarted.port, restartedAt),
    runs: await readRuns(fleet.world, accounts),
    seconds,
  }
}

async function waitForLines(accounts: Account[], signal: AbortSignal): Promise<void> {
  for (
    const deadline = Date.now() + FIRST_LINE_WITHIN_MS;
    Date.now() < deadline;
    await delay(100, undefined, { signal })
  ) {
    const [row] = await withSystemSql((sql) =>
      sql<{ isThere: boolean }>(`select exists (select from line where connection_id = any($1::uuid[])) as "isThere"`, [
        accounts.map(({ connectionId }) => connectionId),
      ]),
    )
    if (row?.isThere) return
  }
  throw new CommandError('No worker wrote a line.')
}

const LOG_LINE = /^(\S+) \S+ \S+ \S+ (\d+) "([^"]*)" "([^"]*)"/

function readLog(file: string, port: number, restartedAt: number): Logged {
  const requests = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, at = '', status = '', servers = ''] = LOG_LINE.exec(line) ?? []
      return at === '' ? [] : [{ at: Date.parse(at), status: Number(status), servers: servers.split(', ') }]
    })
  const victim = `127.0.0.1:${port}`
  const failed = requests.filter(({ status }) => status >= 500)
  return {
    answered: requests.length - failed.length,
    passedOn: requests.filter(({ status, servers }) => status < 500 && servers.length > 1).length,
    failed: failed.length,
    failedElsewhere: failed.filter(({ servers }) => !servers.includes(victim)).length,
    byRestarted: requests.filter(
      // the log has whole seconds
      ({ at, status, servers }) => at > restartedAt && status < 500 && servers.at(-1) === victim,
    ).length,
  }
}
