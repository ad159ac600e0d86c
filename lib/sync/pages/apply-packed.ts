import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { applyPackedInvoices, applyPackedProfiles } from '#lib/ledger/apply/apply-invoices.ts'
import { applyPackedLines } from '#lib/ledger/apply/apply-lines.ts'
import type { BeforeWriting, WrittenOfPart } from '#lib/ledger/apply/apply-records.ts'
import type { PackedRecords } from '#lib/ledger/apply/format-records.ts'
import type { ProfileRecord } from '#lib/reconcile/records.ts'
import type { SyncList } from '../model.ts'
import { nameConnection } from '../runs/name-connection.ts'

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/** Packed records of a list; `profiles`: those among them, in order, if it is theirs. */
export type PackedList = { list: SyncList; packed: PackedRecords; profiles: ProfileRecord[] }

/**
 * Writes the packed records in the caller's transaction and returns what was written, per part.
 * Until `beforeWriting` it only sends them to the database.
 */
export async function applyPacked(
  sql: Sql,
  owner: Owner,
  { list, packed, profiles }: PackedList,
  beforeWriting?: BeforeWriting,
): Promise<WrittenOfPart[]> {
  if (list === 'lines') return applyPackedLines(sql, owner, packed, beforeWriting)
  if (list === 'invoices') return applyPackedInvoices(sql, owner, packed, beforeWriting)
  const written = await applyPackedProfiles(sql, owner, packed, beforeWriting)
  await nameConnection(sql, owner.organizationId, owner.connectionId, profiles)
  return written
}
