/** The one door to pg-boss: it hands runs to workers, at least once; that doubles do no harm is lib/sync's promise. */
import { PgBoss } from 'pg-boss'
import { log } from '../log.ts'

/** All that a job holds: whose run it is. Never a token, a name or an amount. */
export type SyncJob = { organizationId: string; runId: string }

export type SyncQueue = {
  /** Hands out a run. The same run under the same fence waits at most once. */
  send: (job: SyncJob, fence: string) => Promise<void>
  /** Calls `handle` for runs, at most `concurrency` at a time. */
  work: (concurrency: number, handle: (job: SyncJob) => Promise<void>) => Promise<void>
  /** Takes no more jobs, waits for those in hand, ends its connections. */
  stop: (timeoutMs: number) => Promise<void>
}

const QUEUE = 'sync'
/** A job outlives the longest backfill; a worker that dies is noticed by its run's lease, not by its job. */
const EXPIRE_SECONDS = 23 * 3600
const FORGET_SECONDS = 24 * 3600

/** Starts pg-boss in the schema `pgboss` of the database, and makes the queue. */
export async function openSyncQueue(databaseUrl: string): Promise<SyncQueue> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'tieout-worker-jobs',
    max: 4,
    schedule: false,
    useListenNotify: true,
    // progress of its own schema; index and vacuum advice is for installations with millions of jobs
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.warn({ reason: error.message }, 'job queue'))
  await boss.start()
  await boss.createQueue(QUEUE, {
    policy: 'short', // one waiting job per singleton key
    retryLimit: 0, // whether a run is tried again is decided by the run
    expireInSeconds: EXPIRE_SECONDS,
    retentionSeconds: FORGET_SECONDS,
    deleteAfterSeconds: FORGET_SECONDS,
    notify: true,
  })
  return {
    send: async (job, fence) => {
      await boss.send(QUEUE, job, { singletonKey: `${job.runId}:${fence}` })
    },
    work: async (concurrency, handle) => {
      await boss.work<SyncJob>(QUEUE, { localConcurrency: concurrency, pollingIntervalSeconds: 2 }, async (jobs) => {
        for (const job of jobs) await handle(job.data)
      })
    },
    stop: (timeoutMs) => boss.stop({ graceful: true, timeout: timeoutMs }),
  }
}
