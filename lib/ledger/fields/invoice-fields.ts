/** What the ledger has of an invoice: the platform's fields, and whose invoice it is. */
import { INVOICE_FIELDS } from '#lib/reconcile/records.ts'
import { OWNER_FIELDS } from './line-fields.ts'

export const STORED_INVOICE_FIELDS = { ...OWNER_FIELDS, ...INVOICE_FIELDS }
