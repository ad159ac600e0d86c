import { noteInvoiceWords } from '#lib/ledger/kept/invoice-words/note-invoice-words.ts'
import { notePlainInvoices } from '#lib/ledger/kept/plain-invoices/note-plain-invoices.ts'
import type { ClaimedRun } from '../model.ts'

/** So many records without notes do not slow a page down; nor does a tenth of what was written. */
const FEW_RECORDS = 10_000
const SMALL_SHARE = 0.1

/** Called after each group; waits for the notes that it asks for. Never rejects. */
export type NotesKeeper = (group: { written: number; isAnybodyHere: boolean }) => Promise<void>

/**
 * Keeps what pages look up of invoices nearly up with a run that fills the ledger, while somebody
 * is here: else a search goes through all lines, and each survey judges all invoices, until the run
 * has ended. Between two groups, when nothing holds the account's locks
 * (docs/decisions/039-giving-way.md). `make` makes them; `onFailure` hears when it cannot, which
 * costs time and nothing else.
 */
export function keepNotes(make: () => Promise<unknown>, onFailure: (thrown: unknown) => void): NotesKeeper {
  let written = 0
  let noted = 0
  return async (group) => {
    written += group.written
    if (!group.isAnybodyHere || written - noted < Math.max(FEW_RECORDS, written * SMALL_SHARE)) return
    noted = written
    await make().catch(onFailure)
  }
}

/** What surveys and searches look up in place of the lines. */
export async function noteInvoices(run: ClaimedRun, signal: AbortSignal): Promise<void> {
  await notePlainInvoices(run)
  await noteInvoiceWords(run, signal)
}
