import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { INVOICE_FIELDS, type InvoiceRecord, PROFILE_FIELDS, type ProfileRecord } from '#lib/reconcile/records.ts'
import { toStagedColumns } from '../fields/record-columns.ts'
import {
  applyRecords,
  type BeforeWriting,
  createPacker,
  type PackedRecords,
  type Packer,
  toApplyTarget,
  type WrittenOfPart,
} from './apply-records.ts'

const INVOICES = toApplyTarget<InvoiceRecord>({
  table: 'invoice',
  key: 'serial_number',
  keyOf: (invoice) => invoice.serialNumber,
  compared: ['content_hash', 'text_hash'],
  columns: [
    ...toStagedColumns(INVOICE_FIELDS, (name) => (invoice: InvoiceRecord) => invoice[name]),
    { name: 'taxes_summary', type: 'json', value: (invoice) => JSON.stringify(invoice.taxesSummary) },
    { name: 'raw', type: 'json', value: (invoice) => invoice.raw },
    { name: 'content_hash', type: 'text', value: (invoice) => invoice.contentHash },
    { name: 'text_hash', type: 'bytea', value: (invoice) => invoice.textHash },
  ],
})

const PROFILES = toApplyTarget<ProfileRecord>({
  table: 'profile',
  key: 'id',
  keyOf: (profile) => profile.id,
  compared: ['content_hash'],
  columns: [
    ...toStagedColumns(PROFILE_FIELDS, (name) => (profile: ProfileRecord) => profile[name]),
    { name: 'raw', type: 'json', value: (profile) => profile.raw },
    { name: 'content_hash', type: 'text', value: (profile) => profile.contentHash },
  ],
})

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/** Its `add` throws when a serial number comes twice. */
export function createInvoicePacker(): Packer<InvoiceRecord, PackedRecords> {
  return createPacker(INVOICES)
}

/** Its `add` throws when an id comes twice. */
export function createProfilePacker(): Packer<ProfileRecord, PackedRecords> {
  return createPacker(PROFILES)
}

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
