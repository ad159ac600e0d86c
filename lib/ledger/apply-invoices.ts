import type { Sql } from '../db/tenant.ts'
import { hashText } from '../hash-text.ts'
import {
  applyRecords,
  createPacker,
  type PackedRecords,
  type Packer,
  toApplyTarget,
  type WrittenOfPart,
} from './apply-records.ts'
import type { InvoiceToApply, ProfileToApply } from './records-to-apply.ts'

const INVOICES = toApplyTarget<InvoiceToApply>({
  table: 'invoice',
  key: 'serial_number',
  keyOf: (invoice) => invoice.serialNumber,
  compared: ['content_hash', 'text_hash'],
  columns: [
    { name: 'serial_number', type: 'text', value: (invoice) => invoice.serialNumber },
    { name: 'profile_id', type: 'text', value: (invoice) => invoice.profileId },
    { name: 'profile_name', type: 'text', value: (invoice) => invoice.profileName },
    { name: 'legal_name', type: 'text', value: (invoice) => invoice.legalName },
    { name: 'mode', type: 'text', value: (invoice) => invoice.mode },
    { name: 'status', type: 'text', value: (invoice) => invoice.status },
    { name: 'issuing_date', type: 'date', value: (invoice) => invoice.issuingDate },
    { name: 'due_date', type: 'date', value: (invoice) => invoice.dueDate },
    { name: 'from_date', type: 'date', value: (invoice) => invoice.fromDate },
    { name: 'to_date', type: 'date', value: (invoice) => invoice.toDate },
    { name: 'billing_period', type: 'text', value: (invoice) => invoice.billingPeriod },
    { name: 'currency', type: 'text', value: (invoice) => invoice.currency },
    { name: 'total', type: 'numeric', value: (invoice) => invoice.total },
    { name: 'credit_used', type: 'numeric', value: (invoice) => invoice.creditUsed },
    { name: 'taxes_summary', type: 'json', value: (invoice) => JSON.stringify(invoice.taxesSummary) },
    { name: 'reference', type: 'text', value: (invoice) => invoice.reference },
    { name: 'raw', type: 'json', value: (invoice) => invoice.raw },
    { name: 'content_hash', type: 'text', value: (invoice) => invoice.contentHash },
    { name: 'text_hash', type: 'bytea', value: (invoice) => invoice.textHash ?? hashText(invoice.raw) },
  ],
})

const PROFILES = toApplyTarget<ProfileToApply>({
  table: 'profile',
  key: 'id',
  keyOf: (profile) => profile.id,
  compared: ['content_hash'],
  columns: [
    { name: 'id', type: 'text', value: (profile) => profile.id },
    { name: 'name', type: 'text', value: (profile) => profile.name },
    { name: 'legal_name', type: 'text', value: (profile) => profile.legalName },
    { name: 'currency', type: 'text', value: (profile) => profile.currency },
    { name: 'payment_method_type', type: 'text', value: (profile) => profile.paymentMethodType },
    { name: 'billing_period', type: 'text', value: (profile) => profile.billingPeriod },
    { name: 'raw', type: 'json', value: (profile) => profile.raw },
    { name: 'content_hash', type: 'text', value: (profile) => profile.contentHash },
  ],
})

type Owner = { organizationId: string; connectionId: string }

/** Its `add` throws when a serial number comes twice. */
export function createInvoicePacker(): Packer<InvoiceToApply, PackedRecords> {
  return createPacker(INVOICES)
}

/** Its `add` throws when an id comes twice. */
export function createProfilePacker(): Packer<ProfileToApply, PackedRecords> {
  return createPacker(PROFILES)
}

/**
 * Brings invoices into the ledger, in the caller's transaction; unchanged ones are not rewritten.
 * @returns what was written of each part.
 */
export function applyPackedInvoices(sql: Sql, owner: Owner, invoices: PackedRecords): Promise<WrittenOfPart[]> {
  return applyRecords(sql, INVOICES, owner, invoices)
}

/** As `applyPackedInvoices`, for payment profiles. */
export function applyPackedProfiles(sql: Sql, owner: Owner, profiles: PackedRecords): Promise<WrittenOfPart[]> {
  return applyRecords(sql, PROFILES, owner, profiles)
}
