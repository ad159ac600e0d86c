import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import {
  applyPackedInvoices,
  applyPackedProfiles,
  createInvoicePacker,
  createProfilePacker,
} from '#lib/ledger/apply/apply-invoices.ts'
import { applyPackedLines, createLinePacker } from '#lib/ledger/apply/apply-lines.ts'
import type { BeforeWriting, RecordOfPart, WrittenOfPart } from '#lib/ledger/apply/apply-records.ts'
import { listLineNotes } from '#lib/reconcile/line-notes.ts'
import { proveLine } from '#lib/reconcile/line-proof.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'
import type { LineRecord, ProfileRecord, ProvedLine } from '#lib/reconcile/records.ts'
import type { SyncList } from '../model.ts'
import { nameConnection } from '../runs/name-connection.ts'
import type { RecordOf } from './parse-record.ts'

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * Writes the packed records in the caller's transaction and returns what was written, per part.
 * Until `beforeWriting` it only sends them to the database.
 */
export type ApplyPacked = (sql: Sql, owner: Owner, beforeWriting?: BeforeWriting) => Promise<WrittenOfPart[]>

/** Takes parsed records, each id once; `end` returns the function that writes them. */
export type RecordPacker<T> = { add: (record: RecordOfPart<T>) => void; end: () => ApplyPacked }

const PACKERS: { [L in SyncList]: () => RecordPacker<RecordOf[L]> } = {
  profiles: () => {
    const profiles: ProfileRecord[] = []
    const packer = createProfilePacker()
    return {
      add: (record) => {
        profiles.push(record.item)
        packer.add(record)
      },
      end: () => {
        const packed = packer.end()
        return async (sql, owner, beforeWriting) => {
          const written = await applyPackedProfiles(sql, owner, packed, beforeWriting)
          await nameConnection(sql, owner.organizationId, owner.connectionId, profiles)
          return written
        }
      },
    }
  },
  invoices: () => {
    const packer = createInvoicePacker()
    return {
      add: packer.add,
      end: () => {
        const packed = packer.end()
        return (sql, owner, beforeWriting) => applyPackedInvoices(sql, owner, packed, beforeWriting)
      },
    }
  },
  lines: () => {
    const packer = createLinePacker()
    return {
      add: ({ item, part, isNew }) => packer.add({ item: toProvedLine(item), part, isNew }),
      end: () => {
        const packed = packer.end()
        return (sql, owner, beforeWriting) => applyPackedLines(sql, owner, packed, beforeWriting)
      },
    }
  },
}

/**
 * A packer for a list. Proves lines and formats records as the database takes them, all before the
 * transaction, which then waits for nothing but the database.
 */
export function createRecordPacker(list: SyncList): RecordPacker<RecordOf[SyncList]> {
  return PACKERS[list]() as RecordPacker<RecordOf[SyncList]>
}

/** Mutates the record: copying 40 fields would cost half as much as proving it. */
function toProvedLine(line: LineRecord & Partial<ProvedLine>): ProvedLine {
  line.proof = proveLine(line)
  line.explanations = explainLine(line, line.proof)
  line.notes = listLineNotes(line)
  return line as ProvedLine
}
