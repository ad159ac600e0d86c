import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { applyRecords, type BeforeWriting, type WrittenOfPart } from './apply-records.ts'
import type { PackedRecords } from './format-records.ts'
import { INVOICES, PROFILES } from './invoice-target.ts'

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * Writes invoices in the caller's transaction; unchanged ones are not rewritten. Returns what was
 * written, per part.
 */
export function applyPackedInvoices(
  sql: Sql,
  owner: Owner,
  invoices: PackedRecords,
  beforeWriting?: BeforeWriting,
): Promise<WrittenOfPart[]> {
  return applyRecords(sql, INVOICES, owner, invoices, beforeWriting)
}

/** As `applyPackedInvoices`, for payment profiles. */
export function applyPackedProfiles(
  sql: Sql,
  owner: Owner,
  profiles: PackedRecords,
  beforeWriting?: BeforeWriting,
): Promise<WrittenOfPart[]> {
  return applyRecords(sql, PROFILES, owner, profiles, beforeWriting)
}
