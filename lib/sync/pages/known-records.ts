import { withTenantSql } from '#lib/db/tenant.ts'
import { hashText } from '#lib/hash-text.ts'
import {
  findEmptyMoment,
  findStored,
  type RecordText,
  type Stored,
  type StoredList,
} from '#lib/ledger/apply/find-stored.ts'
import type { LedgerMoment } from '#lib/ledger/sql/moment.ts'
import { hidePdfAddress } from '#lib/partner/wire/wire-invoice.ts'
import type { ClaimedRun, SyncList } from '../model.ts'

/** The records' texts, in order, and what the ledger holds of them. */
export type KnownTexts = Stored & { texts: RecordText[] }

/** Looks records up before they are parsed. Null for profiles, and when there are no records. */
export type FindKnown = (list: SyncList, records: readonly string[]) => Promise<KnownTexts | null>

/** For one hold of a run. If its first look-up finds the list empty, no record is looked up. */
export function createFindKnown(run: Pick<ClaimedRun, 'organizationId' | 'connectionId'>): FindKnown {
  const empty = new Map<StoredList, Promise<LedgerMoment | null>>()
  const findEmpty = (list: StoredList) => {
    const found = empty.get(list) ?? withTenantSql(run.organizationId, (sql) => findEmptyMoment(sql, run, list))
    empty.set(list, found)
    return found
  }
  return async (list, records) => {
    if (list === 'profiles' || records.length === 0) return null
    const { toStoredText, id } = READERS[list]
    const toHash = (raw: string) => hashText(toStoredText(raw))
    const asOf = await findEmpty(list)
    if (asOf !== null)
      return { texts: records.map((raw) => ({ id: '', textHash: toHash(raw) })), marks: '', others: new Map(), asOf }
    const texts = records.map((raw) => ({ id: guessId(raw, id), textHash: toHash(raw) }))
    return { texts, ...(await withTenantSql(run.organizationId, (sql) => findStored(sql, run, list, texts))) }
  }
}

/** `id` finds the first member of that name. A wrong guess only costs time. */
const READERS: { [L in StoredList]: { toStoredText: (raw: string) => string; id: RegExp } } = {
  lines: { toStoredText: (raw) => raw, id: /"id"\s*:\s*(?:"([^"\\]{1,255})"|(-?\d{1,255})\b)/ },
  invoices: {
    toStoredText: hidePdfAddress,
    id: /"serial_number"\s*:\s*(?:"([^"\\]{1,255})"|(-?\d{1,255})\b)/,
  },
}

function guessId(raw: string, pattern: RegExp): string {
  const [, text, digits] = pattern.exec(raw) ?? []
  return text ?? digits ?? ''
}
