/** The one door to pg-boss. Runs arrive at least once; lib/sync promises doubles do no harm. */

import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { OrganizationId, RunId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'

/** A job holds only whose run it is. Never a token, a name or an amount. */
export type SyncJob = { organizationId: OrganizationId; runId: RunId }

export type SyncQueue = {
  /** Hands out a run. The same run under the same fence waits at most once. */
  send: (job: SyncJob, fence: string) => Promise<void>
  /** Calls `handle` for runs, at most `concurrency` at a time. */
  work: (concurrency: number, handle: (job: SyncJob) => Promise<void>) => Promise<void>
  /** Takes no more jobs, waits for those in hand, ends its connections. */
  stop: (timeoutMs: number) => Promise<void>
}

const QUEUE = 'sync'
/** A job outlives the longest backfill: a run's lease, not its job, shows a dead worker. */
const EXPIRE_SECONDS = 23 * 3600
const FORGET_SECONDS = 24 * 3600
/** How often pg-boss looks for the next index that an upgrade builds in the background. */
const BUILD_EVERY_SECONDS = 10
const BUILD_WITHIN_MS = 600_000

/**
 * Makes the schema `pgboss` and the queue, or brings them to this version. Called when migrating,
 * since workers own nothing. Several may call it at once. @throws Error when it cannot be done.
 */
export async function installQueue(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    application_name: 'tieout-migrate',
    max: 2,
    schedule: false,
    supervise: false,
    bamIntervalSeconds: BUILD_EVERY_SECONDS,
  })
  let failure: Error | null = null
  boss.on('error', (error) => {
    failure = error
  })
  await boss.start()
  try {
    await boss.createQueue(QUEUE, {
      policy: 'short', // one waiting job per singleton key
      retryLimit: 0, // the run decides whether it is tried again
      expireInSeconds: EXPIRE_SECONDS,
      retentionSeconds: FORGET_SECONDS,
      deleteAfterSeconds: FORGET_SECONDS,
      notify: true,
    })
    for (const deadline = Date.now() + BUILD_WITHIN_MS; ; await delay(100)) {
      const open = (await boss.getBamStatus()).filter(({ status }) => status !== 'completed')
      if (open.length === 0) return
      if (failure !== null || Date.now() > deadline) throw failure ?? new Error('the indexes of pgboss are not built')
    }
  } finally {
    await boss.stop()
  }
}

/** Starts pg-boss on `installQueue`'s queue. @throws Error if it is missing or outdated. */
export async function openSyncQueue(databaseUrl: string): Promise<SyncQueue> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'tieout-worker-jobs',
    max: 4,
    migrate: false,
    schedule: false,
    useListenNotify: true,
    // upkeep of pg-boss's indexes and tables, which only pays with millions of jobs
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.warn({ reason: error.message }, 'job queue'))
  await boss.start().catch((thrown: Error) => {
    throw new Error(`the job queue is not there, or of another version: run \`npm run migrate\` (${thrown.message})`)
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
