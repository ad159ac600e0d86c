import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../db/tenant.ts'
import { applyPackedInvoices, applyPackedProfiles, packInvoices, packProfiles } from '../ledger/apply-invoices.ts'
import { applyPackedLines, packLines } from '../ledger/apply-lines.ts'
import type { RecordOfPart, WrittenOfPart } from '../ledger/apply-records.ts'
import type { ProvedLine } from '../ledger/records-to-apply.ts'
import type { LineRecord } from '../partner/records.ts'
import { listLineNotes } from '../reconcile/line-notes.ts'
import { proveLine } from '../reconcile/line-proof.ts'
import type { SyncList } from './model.ts'
import { nameConnection } from './name-connection.ts'
import type { RecordOf } from './parse-record.ts'

/** So many proofs are made before others get their turn. */
const LINES_IN_A_ROW = 100

type Owner = { organizationId: string; connectionId: string }

/** Brings what was packed into the ledger, in the caller's transaction. @returns what was written of each part. */
export type ApplyPacked = (sql: Sql, owner: Owner) => Promise<WrittenOfPart[]>

const PACK: { [L in SyncList]: (records: readonly RecordOfPart<RecordOf[L]>[]) => Promise<ApplyPacked> } = {
  profiles: async (records) => {
    const packed = await packProfiles(records)
    const profiles = records.map(({ item }) => item)
    return async (sql, owner) => {
      await nameConnection(sql, owner.organizationId, owner.connectionId, profiles)
      return applyPackedProfiles(sql, owner, packed)
    }
  },
  invoices: async (records) => {
    const packed = await packInvoices(records)
    return (sql, owner) => applyPackedInvoices(sql, owner, packed)
  },
  lines: async (records) => {
    const proved: RecordOfPart<ProvedLine>[] = []
    for (const record of records) {
      if (proved.length % LINES_IN_A_ROW === LINES_IN_A_ROW - 1) await nextTurn()
      proved.push({ ...record, item: toProvedLine(record.item) })
    }
    const packed = await packLines(proved)
    return (sql, owner) => applyPackedLines(sql, owner, packed)
  },
}

/**
 * Proves parsed records where there is something to prove, and makes ready what goes to the database: before the transaction,
 * which then waits for nothing but the database.
 */
export async function packParsed<L extends SyncList>(
  list: L,
  records: readonly RecordOfPart<RecordOf[L]>[],
): Promise<ApplyPacked> {
  return records.length === 0 ? async () => [] : PACK[list](records)
}

/** Adds the proof to the record itself: a copy of forty fields costs half as much as the proof. */
function toProvedLine(line: LineRecord & Partial<ProvedLine>): ProvedLine {
  line.proof = proveLine(line)
  line.notes = listLineNotes(line)
  return line as LineRecord & ProvedLine
}
