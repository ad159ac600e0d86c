import type { InvoiceExportRow } from '#lib/ledger/read/export-invoices.ts'
import type { CsvColumn } from './csv.ts'

/**
 * The columns of the invoices file, named as on the wire, then the tie-out. Order and names are a
 * promise (docs/csv.md): add at the end.
 */
const COLUMNS = [
  { name: 'serial_number', kind: 'text', field: 'serialNumber' },
  { name: 'profile_id', kind: 'text', field: 'profileId' },
  { name: 'profile_name', kind: 'text', field: 'profileName' },
  { name: 'legal_name', kind: 'text', field: 'legalName' },
  { name: 'mode', kind: 'text', field: 'mode' },
  { name: 'status', kind: 'text', field: 'status' },
  { name: 'issuing_date', kind: 'day', field: 'issuingDate' },
  { name: 'due_date', kind: 'day', field: 'dueDate' },
  { name: 'from_date', kind: 'day', field: 'fromDate' },
  { name: 'to_date', kind: 'day', field: 'toDate' },
  { name: 'billing_period', kind: 'text', field: 'billingPeriod' },
  { name: 'reference', kind: 'text', field: 'reference' },
  { name: 'currency', kind: 'code', field: 'currency' },
  { name: 'total', kind: 'amount', field: 'total' },
  { name: 'credit_used_for_customer_payment', kind: 'amount', field: 'creditUsed' },
  { name: 'line_count', kind: 'count', field: 'lineCount' },
  { name: 'lines_total', kind: 'amount', field: 'linesTotal' },
  { name: 'not_imported', kind: 'amount', field: 'notImported' },
  { name: 'credit_used', kind: 'amount', field: 'creditTaken' },
  { name: 'comes_to', kind: 'amount', field: 'comesTo' },
  { name: 'residual', kind: 'amount', field: 'residual' },
  { name: 'unexplained', kind: 'amount', field: 'unexplained' },
  { name: 'explained_by', kind: 'code', field: 'explainedBy' },
  { name: 'finding_codes', kind: 'code', field: 'findingCodes' },
  { name: 'is_gone', kind: 'code', field: 'isGone' },
  { name: 'connection_id', kind: 'code', field: 'connectionId' },
  { name: 'connection_name', kind: 'text', field: 'connectionName' },
  { name: 'review', kind: 'code', field: 'review' },
] as const satisfies readonly CsvColumn<InvoiceExportRow>[]

type LeftOut = Exclude<keyof InvoiceExportRow, (typeof COLUMNS)[number]['field']>

/** Does not compile while a field of the invoice is in no column. */
export const INVOICE_COLUMNS: [LeftOut] extends [never] ? readonly CsvColumn<InvoiceExportRow>[] : LeftOut = COLUMNS
