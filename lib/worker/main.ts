/** The worker process: `npm run worker`. Prints a JSON line with `"ready":true` when it is. */
import { constants, getPriority, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { endPool } from '#lib/db/pool.ts'
import { SettingsError, settings } from '#lib/env.ts'
import { log } from '#lib/log.ts'
import { SYNC_TIMING } from '#lib/sync/runs/timing.ts'
import { parseFailpointFlag } from './failpoint-flag.ts'
import { readInThread } from './read-in-thread.ts'
import { startWorker, type WorkerOptions } from './start-worker.ts'

/**
 * How much further behind its parent a worker stands: an account can be read a little later, a
 * person who waits for a page cannot.
 */
const NICENESS = 5

/**
 * The bundle of the thread that reads records. For tests: where to die, how long a dead worker's
 * run waits, how much is read at once, how often to look for work.
 */
function parseFlags(): WorkerOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      failpoint: text,
      'lease-seconds': text,
      'window-records': text,
      'group-pages': text,
      'record-thread': text,
      'sweep-ms': text,
    },
  })
  const {
    'lease-seconds': leaseSeconds,
    'window-records': windowRecords,
    'group-pages': groupPages,
    'record-thread': recordThread,
    'sweep-ms': sweepMs,
  } = values
  return {
    readRecords: recordThread === undefined ? undefined : readInThread(recordThread),
    sweepMs: sweepMs === undefined ? undefined : Number(sweepMs),
    failpoint: values.failpoint === undefined ? undefined : parseFailpointFlag(values.failpoint),
    timing: {
      ...SYNC_TIMING,
      ...(leaseSeconds === undefined ? {} : { leaseMs: Number(leaseSeconds) * 1000 }),
      ...(windowRecords === undefined
        ? {}
        : { windowRecords: Number(windowRecords), completeWindowRecords: Number(windowRecords) }),
      ...(groupPages === undefined ? {} : { groupPages: Number(groupPages) }),
    },
  }
}

async function main(): Promise<void> {
  // before the thread that reads records: it takes after this one
  setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW))
  const worker = await startWorker(parseFlags())
  const { host, workerPort } = settings().metrics
  // loaded only where somebody asks for metrics
  if (workerPort !== null)
    await (await import('#lib/metrics/worker-metrics.ts')).serveWorkerMetrics({ host, port: workerPort })
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'worker is stopping')
    worker
      .stop()
      .then(endPool)
      .then(
        () => process.exit(0),
        (error: Error) => {
          log.error({ reason: error.message }, 'worker did not stop cleanly')
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  log.info({ ready: true }, 'worker ready')
}

main().catch((error: Error) => {
  if (error instanceof SettingsError) for (const problem of error.problems) log.fatal(problem)
  else log.fatal({ reason: error.message }, 'worker cannot start')
  process.exit(1)
})
