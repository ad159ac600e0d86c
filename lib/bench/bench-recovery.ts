/**
 * `npm run bench -- recovery [--kills 3]`: P12, from kill -9 of the worker to the next committed
 * page, at the default lease.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ManagedProcess } from '#lib/cli/processes/managed-process.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { SYNC_TIMING } from '#lib/sync/runs/timing.ts'
import { openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf, readCpuTicks } from '#lib/world/process-figures.ts'
import { writeReport } from './bench-report.ts'

/** Enough to be still under way after every kill. */
const LINES = 1_000_000
const ALLOWED_SECONDS = SYNC_TIMING.leaseMs / 1000 + 10
/** How long a worker works before the kill. */
const WORK_MS = 3000
/** How long PostgreSQL may take to finish what the dead worker had sent. */
const LAST_COMMIT_MS = 1000

/** @throws CommandError when a kill is not followed by any page. */
export async function benchRecovery(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { kills: { type: 'string' } } })
  const kills = Number(values.kills ?? 5)
  if (!(kills >= 1)) throw new CommandError('Usage: npm run bench -- recovery [--kills 5]')
  const size = { kind: 'huge', lines: LINES } as const
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', size, pageSize: 50, workerFlags: [] })
  const pagesSince = async (since: Date) => {
    const [row] = await withSystemSql((sql) =>
      sql<{ first: Date | null }>('select min(committed_at) as first from sync_page where committed_at > $1', [since]),
    )
    return row?.first ?? null
  }
  const waitForPage = async (since: Date): Promise<Date> => {
    const deadline = Date.now() + 4 * ALLOWED_SECONDS * 1000
    while (Date.now() < deadline) {
      const first = await pagesSince(since)
      if (first !== null) return first
      await delay(100, undefined, { signal: lifetime.signal })
    }
    throw new CommandError('No page was committed after a worker was killed.')
  }
  const pauses: number[] = []
  // two workers, as in a deployment: the other one takes over
  let workers = [world.startWorker(), world.startWorker()]
  lifetime.onEnd('Workers', async (isForced) => {
    await Promise.all(workers.map((worker) => worker.stop(isForced)))
  })
  await waitForPage(new Date(0))
  for (let kill = 1; kill <= kills; kill++) {
    await delay(WORK_MS, undefined, { signal: lifetime.signal })
    const [busy, idle] = await sortByWork(workers, lifetime.signal)
    const [clock] = await withSystemSql((sql) => sql<{ now: Date }>('select clock_timestamp() as now'))
    const at = (clock as { now: Date }).now
    process.kill(busy.pid, 'SIGKILL')
    await busy.exited
    const seconds = ((await waitForPage(new Date(at.getTime() + LAST_COMMIT_MS))).getTime() - at.getTime()) / 1000
    say(`Kill ${kill}: the next page after ${seconds.toFixed(1)} s`)
    pauses.push(seconds)
    workers = [idle, world.startWorker()]
  }
  const worst = Math.max(...pauses)
  writeReport({
    subject: 'recovery',
    data: { leaseMs: SYNC_TIMING.leaseMs, secondsToNextPage: pauses },
    figures: [
      {
        goal: 'P12',
        what: `from kill -9 of the worker to the next committed page; worst of ${kills} (median ${medianOf(pauses).toFixed(1)} s)`,
        measured: `${worst.toFixed(1)} s`,
        target: `<= lease (${SYNC_TIMING.leaseMs / 1000} s) + 10 s`,
        isMet: worst <= ALLOWED_SECONDS,
      },
    ],
    notes: [
      'Two worker processes during a backfill of 1,000,000 lines; the one that reads is killed, the other takes over.',
    ],
  })
}

/** The worker that used more processor time over half a second, then the other. */
async function sortByWork(workers: ManagedProcess[], signal: AbortSignal): Promise<[ManagedProcess, ManagedProcess]> {
  const before = workers.map(({ pid }) => readCpuTicks(pid))
  await delay(500, undefined, { signal })
  const work = workers.map(({ pid }, at) => readCpuTicks(pid) - (before[at] as number))
  const [first, second] = workers as [ManagedProcess, ManagedProcess]
  return (work[0] as number) > (work[1] as number) ? [first, second] : [second, first]
}
