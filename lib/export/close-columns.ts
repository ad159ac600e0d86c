import type { CloseFileRow } from '#lib/ledger/close/close-file.ts'
import type { CsvColumn } from './csv.ts'

/** The columns of the close file. Order and names are a promise (docs/csv.md): add at the end. */
const COLUMNS = [
  { name: 'month', kind: 'code', field: 'month' },
  { name: 'connection_id', kind: 'code', field: 'connectionId' },
  { name: 'profile_id', kind: 'text', field: 'profileId' },
  { name: 'profile_name', kind: 'text', field: 'profileName' },
  { name: 'state', kind: 'code', field: 'state' },
  { name: 'currency', kind: 'code', field: 'currency' },
  { name: 'line_count', kind: 'count', field: 'lineCount' },
  { name: 'net', kind: 'amount', field: 'net' },
  { name: 'total', kind: 'amount', field: 'total' },
  { name: 'changed_by', kind: 'amount', field: 'changedBy' },
  { name: 'changed_cause', kind: 'code', field: 'changedCause' },
  { name: 'residual', kind: 'amount', field: 'residual' },
  { name: 'invoice_count', kind: 'count', field: 'invoiceCount' },
  { name: 'incomplete_count', kind: 'count', field: 'incompleteCount' },
  { name: 'undecided_count', kind: 'count', field: 'undecidedCount' },
  { name: 'disputed_count', kind: 'count', field: 'disputedCount' },
  { name: 'prepared_by', kind: 'text', field: 'preparedBy' },
  { name: 'prepared_at', kind: 'code', field: 'preparedAt' },
  { name: 'approved_by', kind: 'text', field: 'approvedBy' },
  { name: 'approved_at', kind: 'code', field: 'approvedAt' },
  { name: 'locked_by', kind: 'text', field: 'lockedBy' },
  { name: 'locked_at', kind: 'code', field: 'lockedAt' },
] as const satisfies readonly CsvColumn<CloseFileRow>[]

type LeftOut = Exclude<keyof CloseFileRow, (typeof COLUMNS)[number]['field']>

/** Does not compile while a field of the row is in no column. */
export const CLOSE_COLUMNS: [LeftOut] extends [never] ? readonly CsvColumn<CloseFileRow>[] : LeftOut = COLUMNS
