import { openingKeys } from '../connections/key-ring.ts'
import { requireSetting } from '../env.ts'
import { log } from '../log.ts'
import type { Failpoint } from '../sync/model.ts'
import { requestReparseAfterUpgrade } from '../sync/reparse-wishes.ts'
import { runSync } from '../sync/run-sync.ts'
import { requestDueSyncs } from '../sync/schedule.ts'
import { SYNC_TIMING, type SyncTiming } from '../sync/timing.ts'
import { startConnectionWork } from './connection-job.ts'
import { prepareCredentials, startCredentialCare } from './credential-care.ts'
import { listDueRuns } from './due-runs.ts'
import { startHousekeeping } from './housekeeping.ts'
import { startReparses } from './reparse-job.ts'
import { startScimChecks } from './scim-job.ts'
import { openSyncQueue, type SyncJob } from './sync-queue.ts'
import { listenForWishes } from './wake-listener.ts'

/** Syncs of different connections that one worker runs at a time. */
const CONCURRENT_SYNCS = 4
/** How often due runs are looked for without being told. */
const SWEEP_MS = 3_000
/** What is in hand when a worker stops: one page's transaction, or one token request with its deadline of 30 s. */
const DRAIN_MS = 35_000

/** `now`: the clock by which scheduled syncs are due. */
export type WorkerOptions = { timing?: SyncTiming; failpoint?: Failpoint; now?: () => Date }

export type Worker = {
  /** Takes no more work, finishes the pages in hand, lets go of the runs; resolves when all of it is down. */
  stop: () => Promise<void>
}

/**
 * Starts the worker of this process: refuses to start when it could not open what the web process seals; then syncs every
 * run that is requested by anyone or due by the clock, and every run that a dead worker has left behind. The pool stays the caller's to end.
 */
export async function startWorker({
  timing = SYNC_TIMING,
  failpoint,
  now = () => new Date(),
}: WorkerOptions = {}): Promise<Worker> {
  const partner = requireSetting('partner')
  await prepareCredentials()
  const stopping = new AbortController()
  const queue = await openSyncQueue(requireSetting('databaseUrl'))

  async function handle({ organizationId, runId }: SyncJob): Promise<void> {
    if (stopping.signal.aborted) return
    try {
      await runSync({ organizationId, runId }, { partner, timing, failpoint, now, signal: stopping.signal })
    } catch (thrown) {
      // what the run could not record (its database was away) is found again by the sweep, once its lease is over
      log.error({ run: runId, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'sync interrupted')
    }
  }

  const sweep = createSweep(async () => {
    await requestDueSyncs(now())
    for (const { fence, ...job } of await listDueRuns()) await queue.send(job, fence)
  })
  const scimChecks = startScimChecks({
    scimBaseUrl: partner.scimBaseUrl,
    // read at each check: a key may have been rotated since
    get privateKeys() {
      return openingKeys()
    },
  })
  const connectionWork = startConnectionWork()
  const reparses = startReparses()
  const lookForWork = () => {
    sweep()
    connectionWork.wake()
    scimChecks.wake()
    reparses.wake()
  }
  await queue.work(CONCURRENT_SYNCS, handle)
  await requestReparseAfterUpgrade()
  const endListening = await listenForWishes(lookForWork)
  const care = startCredentialCare()
  const housekeeping = startHousekeeping()
  const timer = setInterval(lookForWork, SWEEP_MS)
  lookForWork()

  return {
    stop: async () => {
      stopping.abort(new Error('the worker is stopping'))
      clearInterval(timer)
      endListening()
      const others = [scimChecks, connectionWork, reparses, care, housekeeping].map((other) => other.stop())
      await Promise.all([queue.stop(DRAIN_MS), ...others])
    },
  }
}

/** Runs `work` when called; calls that come while it runs lead to one more turn, and never to two at once. */
function createSweep(work: () => Promise<void>): () => void {
  let isRunning = false
  let isWanted = false
  async function turn(): Promise<void> {
    isRunning = true
    try {
      while (isWanted) {
        isWanted = false
        await work()
      }
    } catch (thrown) {
      log.warn({ reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'sweep failed')
    } finally {
      isRunning = false
    }
  }
  return () => {
    isWanted = true
    if (!isRunning) void turn()
  }
}
