import type { PartnerSettings } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import type { OrganizationId, RunId } from '#lib/ids.ts'
import { compareLines } from '#lib/ledger/kept/comparisons/compare-lines.ts'
import { noteMonthSums } from '#lib/ledger/kept/month-sums/note-month-sums.ts'
import { log } from '#lib/log.ts'
import type { ClaimedRun, Failpoint, RunOutcome } from '../model.ts'
import { createFindKnown } from '../pages/known-records.ts'
import { openPageSource } from '../pages/page-source.ts'
import { type ReadRecords, readRecordsHere } from '../pages/read-records.ts'
import { createGiveWay, type GiveWay } from '../runs/give-way.ts'
import { type Hold, holdLease } from '../runs/lease.ts'
import { claimRun, failRun, postponeRun, releaseRun } from '../runs/run-store.ts'
import { isFenced, toPauseMs, toSyncFailure } from '../runs/sync-failure.ts'
import { backoffMs, SYNC_TIMING, type SyncTiming } from '../runs/timing.ts'
import { finishRun } from './finish-run.ts'
import { openGroupWriter } from './group-writer.ts'
import { noteInvoices } from './keep-notes.ts'
import { readWindows } from './read-windows.ts'
import type { RunReading } from './run-reading.ts'

export type SyncOptions = {
  partner: PartnerSettings
  /**
   * Aborted when the worker must stop: the page in hand is finished and the next worker goes on.
   */
  signal: AbortSignal
  timing?: SyncTiming
  failpoint?: Failpoint
  /** Reads records; in this thread by default. */
  readRecords?: ReadRecords
  /** Leaves the machine to people between two groups; see `createGiveWay`. */
  giveWay?: GiveWay
  /** The clock that tells days and plans the next sync. */
  now?: () => Date
}

/**
 * Reads into the ledger what the run is about, window by window and page by page, from where the
 * run stands. Any number of workers may call it, any number of times: one holds the run, the others
 * return `not-taken` (reliability F19, F20). Records expected failures in the run; throws only when
 * the database itself fails.
 */
export async function runSync(
  { organizationId, runId }: { organizationId: OrganizationId; runId: RunId },
  options: SyncOptions,
): Promise<RunOutcome> {
  const timing = options.timing ?? SYNC_TIMING
  const run = await claimRun(organizationId, runId, timing.leaseMs)
  if (run === null) return 'not-taken'
  log.info({ run: run.id, connection: run.connectionId, kind: run.kind }, 'sync taken up')
  const now = options.now ?? (() => new Date())
  const hold: Hold = { run, timing, takes: run.attempts, now }
  const lease = holdLease(run, timing.leaseMs)
  const ended = new AbortController()
  try {
    if (run.attempts > timing.maxTakes)
      throw new OperationalError('internal', `${run.attempts} workers in a row ended before they committed a page`)
    const outcome = await readToTheEnd(hold, options, AbortSignal.any([options.signal, lease.lost, ended.signal]))
    log.info({ run: run.id, outcome }, 'sync finished')
    return outcome
  } catch (thrown) {
    return await settle(hold, lease.lost.aborted ? lease.lost.reason : thrown, options.signal.aborted)
  } finally {
    lease.end()
    // cancel requests still in flight
    ended.abort()
  }
}

async function readToTheEnd(hold: Hold, options: SyncOptions, signal: AbortSignal): Promise<'succeeded' | 'held'> {
  const { run, timing, now } = hold
  const failpoint = options.failpoint ?? (() => undefined)
  const source = openPageSource(run, options.partner, timing, signal)
  const writer = openGroupWriter(hold, { giveWay: options.giveWay ?? createGiveWay(signal), failpoint, signal })
  const reading: RunReading = {
    run,
    source,
    findKnown: createFindKnown(run),
    readRecords: options.readRecords ?? readRecordsHere,
    writer,
    timing,
    failpoint,
    signal,
    now,
    pageSize: options.partner.pageSize,
  }
  try {
    for (;;) {
      await readWindows(reading)
      signal.throwIfAborted()
      await writer.settle()
      failpoint('before-finish')
      const outcome = await finishRun(run, now())
      if (outcome === 'more') continue
      failpoint('after-finish')
      await judgeInvoices(run, options.signal)
      return outcome
    }
  } finally {
    await source.settled()
  }
}

/**
 * The run has ended; housekeeping does what is left. Lines first: an invoice with a line that is on
 * another one is not plain.
 */
async function judgeInvoices(run: ClaimedRun, signal: AbortSignal): Promise<void> {
  try {
    await compareLines(run)
    await noteInvoices(run, signal)
    await noteMonthSums(run, signal)
  } catch (thrown) {
    log.warn({ run: run.id, reason: String(thrown) }, 'invoices could not be judged')
  }
}

/** Decides what becomes of a run that did not reach its end. */
async function settle({ run, timing, takes, now }: Hold, thrown: unknown, isStopping: boolean): Promise<RunOutcome> {
  try {
    if (isFenced(thrown)) throw thrown
    if (isStopping) {
      await releaseRun(run)
      log.info({ run: run.id }, 'sync released, the worker is stopping')
      return 'released'
    }
    const failure = toSyncFailure(thrown)
    const { error, retryAfterMs } = failure
    // a pause the platform asked for is not a failure of the run
    const isNoAttempt = retryAfterMs !== null && retryAfterMs > timing.retryCapMs
    const isUsedUp = takes >= timing.maxAttempts && !isNoAttempt
    // the run has already read an incomplete list several times
    if (!error.retryable || error.code === 'sync-incomplete' || isUsedUp) {
      await failRun(run, error, now())
      log.error({ run: run.id, code: error.code, reason: error.message }, 'sync failed')
      return 'failed'
    }
    const backoff = backoffMs(Math.max(takes, 1), timing.postponeBaseMs, timing.postponeCapMs)
    const pauseMs = toPauseMs(failure, backoff, timing)
    await postponeRun(run, pauseMs, error, { isNoAttempt })
    log.warn({ run: run.id, code: error.code, reason: error.message, pauseMs }, 'sync put off')
    return 'postponed'
  } catch (failure) {
    if (!isFenced(failure)) throw failure
    log.warn({ run: run.id }, 'the sync was taken over, paused or canceled')
    return 'fenced'
  }
}
