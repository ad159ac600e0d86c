/** What the ledger stores of an invoice: the platform's fields, and the owner. */
import { INVOICE_FIELDS } from '#lib/reconcile/records.ts'
import { OWNER_FIELDS } from './line-fields.ts'

export const STORED_INVOICE_FIELDS = { ...OWNER_FIELDS, ...INVOICE_FIELDS }
