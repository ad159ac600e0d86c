/**
 * Work that nobody waits for: removes what nobody reads any more, makes older lines' search texts,
 * compares lines and judges invoices that no sync has compared or judged, notes what lines say, and
 * sums months. Files of comments that nobody has any more go, too.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { removeAttemptBatch } from '#lib/connections/tokens/remove-old-attempts.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { fillSearchTextsBatch } from '#lib/ledger/apply/fill-search-texts.ts'
import { compareLinesOfNext } from '#lib/ledger/kept/comparisons/compare-lines.ts'
import { noteInvoiceWordsOfNext } from '#lib/ledger/kept/invoice-words/note-invoice-words.ts'
import { noteMonthSumsOfNext } from '#lib/ledger/kept/month-sums/note-month-sums.ts'
import { notePlainInvoicesOfNext } from '#lib/ledger/kept/plain-invoices/note-plain-invoices.ts'
import { log } from '#lib/log.ts'
import { removePageBatch } from '#lib/sync/pages/remove-old-pages.ts'
import { fillFieldsBatch } from '#lib/sync/reading/fill-fields.ts'
import { sweepFiles, sweepFolder } from '#lib/talk/sweep-files.ts'

/** Pause after each transaction: other work goes first, even right after an upgrade. */
const REST_MS = 100

/** One turn, in batches, until nothing is left or `signal` fires. Steps fail separately. */
export async function keepHouse(signal: AbortSignal, restMs = REST_MS): Promise<void> {
  let compared: ConnectionId | null = null
  let account: ConnectionId | null = null
  let noted: ConnectionId | null = null
  let summed: ConnectionId | null = null
  const steps: Record<string, () => Promise<{ done: number; isDone: boolean }>> = {
    pages: async () => {
      const { runs, pages } = await removePageBatch()
      return { done: pages, isDone: runs === 0 }
    },
    attempts: async () => {
      const done = await removeAttemptBatch()
      return { done, isDone: done === 0 }
    },
    files: async () => {
      const done = await sweepFiles()
      return { done, isDone: done === 0 }
    },
    folder: async () => ({ done: await sweepFolder(new Date(), signal), isDone: true }),
    // before the invoices: one with a line that is on another invoice is not plain
    lines: async () => {
      const next = await compareLinesOfNext(compared)
      compared = next?.connectionId ?? null
      return { done: next?.written ?? 0, isDone: next === null }
    },
    invoices: async () => {
      const next = await notePlainInvoicesOfNext(account)
      account = next?.connectionId ?? null
      return { done: next?.noted ?? 0, isDone: next === null }
    },
    fields: async () => {
      const done = await fillFieldsBatch()
      return { done, isDone: done === 0 }
    },
    search: async () => {
      const done = await fillSearchTextsBatch()
      return { done, isDone: done === 0 }
    },
    // after the texts: another one takes the note of its invoice back
    words: async () => {
      const next = await noteInvoiceWordsOfNext(noted, signal)
      noted = next?.connectionId ?? null
      return { done: next?.noted ?? 0, isDone: next === null }
    },
    months: async () => {
      const next = await noteMonthSumsOfNext(summed, signal)
      summed = next?.connectionId ?? null
      return { done: next?.noted ?? 0, isDone: next === null }
    },
  }
  for (const [step, doBatch] of Object.entries(steps)) {
    let done = 0
    try {
      while (!signal.aborted) {
        const batch = await doBatch()
        done += batch.done
        if (batch.isDone) break
        await pause(restMs, undefined, { signal }).catch(() => undefined) // on abort the loop ends
      }
    } catch (thrown) {
      log.warn({ step, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'housekeeping failed')
    }
    if (done > 0) log.info({ step, done }, 'housekeeping')
  }
}
