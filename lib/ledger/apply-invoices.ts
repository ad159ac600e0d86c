import type { Sql } from '../db/tenant.ts'
import { type ApplyTable, applyRecords, toApplyStatement } from './apply-records.ts'
import type { ApplyCounts, InvoiceToApply, ProfileToApply } from './records-to-apply.ts'

const INVOICES: ApplyTable<InvoiceToApply> = {
  table: 'invoice',
  key: 'serial_number',
  keyOf: (invoice) => invoice.serialNumber,
  compared: ['content_hash'],
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
  ],
}

const PROFILES: ApplyTable<ProfileToApply> = {
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
}

const INVOICE_TARGET = { ...INVOICES, statement: toApplyStatement(INVOICES) }
const PROFILE_TARGET = { ...PROFILES, statement: toApplyStatement(PROFILES) }

/**
 * Brings one page of invoices into the ledger, in the caller's transaction; unchanged ones are not rewritten.
 * @returns counts that add up to the invoices given. @throws Error when a serial number comes twice.
 */
export function applyInvoices(
  sql: Sql,
  page: { organizationId: string; connectionId: string; invoices: readonly InvoiceToApply[] },
): Promise<ApplyCounts> {
  return applyRecords(sql, INVOICE_TARGET, page, page.invoices)
}

/**
 * Brings one page of payment profiles into the ledger, in the caller's transaction; unchanged ones are not rewritten.
 * @returns counts that add up to the profiles given. @throws Error when an id comes twice.
 */
export function applyProfiles(
  sql: Sql,
  page: { organizationId: string; connectionId: string; profiles: readonly ProfileToApply[] },
): Promise<ApplyCounts> {
  return applyRecords(sql, PROFILE_TARGET, page, page.profiles)
}
