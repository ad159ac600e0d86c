import { openingKeys } from '#lib/connections/tokens/key-ring.ts'
import { planDigests } from '#lib/digest/digest-rows.ts'
import { requireSetting, settings } from '#lib/env.ts'
import { runTrials } from '#lib/ledger/certify/run-trials.ts'
import { applyDecisions } from '#lib/ledger/review/apply-decision.ts'
import { judgeWished, wishJudgingAfterUpgrade } from '#lib/ledger/rules/judgings.ts'
import { log } from '#lib/log.ts'
import { makePacks } from '#lib/pack/make-packs.ts'
import { fetchWishedDocuments } from '#lib/sync/documents/fetch-documents.ts'
import type { Failpoint } from '#lib/sync/model.ts'
import type { ReadRecords } from '#lib/sync/pages/read-records.ts'
import { requestReparseAfterUpgrade } from '#lib/sync/reading/reparse-wishes.ts'
import { runSync } from '#lib/sync/reading/run-sync.ts'
import { requestDueSyncs } from '#lib/sync/runs/schedule.ts'
import { SYNC_TIMING, type SyncTiming } from '#lib/sync/runs/timing.ts'
import { certify } from './certification.ts'
import { runConnectionWork } from './connection-job.ts'
import { prepareCredentials, startCredentialCare } from './credential-care.ts'
import { createCrew } from './crew.ts'
import { mailDigests } from './digest-mail.ts'
import { type DueRun, listDueRuns } from './due-runs.ts'
import { keepHouse } from './housekeeping.ts'
import { mailInvitations } from './invitation-mail.ts'
import { createMailer } from './mail.ts'
import { mailPasswordLinks } from './password-mail.ts'
import { runReparses } from './reparse-job.ts'
import { type RepeatedWork, repeatWork } from './repeated-work.ts'
import { runDueScimChecks } from './scim-job.ts'
import { listenForWishes } from './wake-listener.ts'

/** The syncs, of different connections, that one worker runs at a time. */
const CONCURRENT_SYNCS = 4
/** How often the worker looks for work without being woken. */
const SWEEP_MS = 3_000
const HOUSEKEEPING_MS = 3_600_000
/** How often it is looked whose digest is due. */
const DIGESTS_MS = 60_000
/** What a stop may have to wait for: a page's transaction, or a token request (30 s). */
const DRAIN_MS = 35_000

/**
 * `readRecords`: reads records; in this thread by default. `now`: the clock that decides when
 * scheduled syncs are due. `sweepMs`: how often to look for work without being woken.
 */
export type WorkerOptions = {
  timing?: SyncTiming
  failpoint?: Failpoint
  readRecords?: ReadRecords
  now?: () => Date
  sweepMs?: number
}

export type Worker = {
  /** Takes no more work, finishes pages in hand, releases runs; resolves when all is done. */
  stop: () => Promise<void>
}

/**
 * Starts this process's worker, unless it cannot open what the web process seals. Syncs every run
 * that is requested or due, and every run that a dead worker left behind. The caller ends the pool.
 */
export async function startWorker({
  timing = SYNC_TIMING,
  failpoint,
  readRecords,
  now = () => new Date(),
  sweepMs = SWEEP_MS,
}: WorkerOptions = {}): Promise<Worker> {
  const partner = requireSetting('partner')
  await prepareCredentials()
  const stopping = new AbortController()

  async function sync({ organizationId, runId }: DueRun): Promise<void> {
    if (stopping.signal.aborted) return
    try {
      await runSync(
        { organizationId, runId },
        { partner, timing, failpoint, readRecords, now, signal: stopping.signal },
      )
    } catch (thrown) {
      // the sweep finds runs whose failure could not be recorded, once their lease ends
      log.error({ run: runId, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'sync interrupted')
    }
  }

  const crew = createCrew(CONCURRENT_SYNCS, ({ runId, fence }: DueRun) => `${runId}:${fence}`, sync)
  async function offerDueRuns(): Promise<void> {
    await requestDueSyncs(now())
    crew.offer(await listDueRuns())
  }

  const scim = {
    scimBaseUrl: partner.scimBaseUrl,
    // read at each check: a key may have been rotated since
    get privateKeys() {
      return openingKeys()
    },
  }
  await requestReparseAfterUpgrade()
  await wishJudgingAfterUpgrade()
  const { mail } = settings()
  const mailer = mail === null ? null : createMailer(mail)
  const housekeeping = repeatWork('housekeeping', keepHouse, HOUSEKEEPING_MS)
  /** A line that is judged otherwise takes its month's sums along, which pages miss until then. */
  async function judge(signal: AbortSignal): Promise<void> {
    if ((await judgeWished(signal)) > 0) housekeeping.wake()
  }

  let wished: RepeatedWork[] = []
  const endListening = await listenForWishes(() => {
    for (const turns of wished) turns.wake()
  })
  wished = [
    repeatWork('sweep', offerDueRuns, sweepMs),
    repeatWork('connections', runConnectionWork, sweepMs),
    repeatWork('reading rejected records again', runReparses, sweepMs),
    repeatWork('rules', judge, sweepMs),
    repeatWork('decisions', applyDecisions, sweepMs),
    repeatWork('rules on the past', runTrials, sweepMs),
    repeatWork('certification', certify, sweepMs),
    repeatWork('packs', makePacks, sweepMs),
    repeatWork('documents', (signal) => fetchWishedDocuments(partner, signal), sweepMs),
    repeatWork('invitations', (signal) => mailInvitations(mailer, signal, now()), sweepMs),
    repeatWork('password links', (signal) => mailPasswordLinks(mailer, signal, now()), sweepMs),
    repeatWork('digests', (signal) => mailDigests(mailer, signal, now()), sweepMs),
    repeatWork('scim checks', (signal) => runDueScimChecks(scim, signal), sweepMs),
  ]
  const care = startCredentialCare()
  const plan = mailer === null ? [] : [repeatWork('digests due', () => planDigests(now()), DIGESTS_MS)]

  return {
    stop: async () => {
      stopping.abort(new Error('the worker is stopping'))
      endListening()
      const others = [...wished, care, housekeeping, ...plan].map((other) => other.stop())
      await Promise.all([crew.stop(DRAIN_MS), ...others])
      mailer?.close()
    },
  }
}
