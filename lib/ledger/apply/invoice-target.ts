import { INVOICE_FIELDS, type InvoiceRecord, PROFILE_FIELDS, type ProfileRecord } from '#lib/reconcile/records.ts'
import { toStagedColumns } from '../fields/record-columns.ts'
import { toApplyTarget } from './apply-target.ts'

/** Where invoices are written. */
export const INVOICES = toApplyTarget<InvoiceRecord>({
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

/** Where payment profiles are written. */
export const PROFILES = toApplyTarget<ProfileRecord>({
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
