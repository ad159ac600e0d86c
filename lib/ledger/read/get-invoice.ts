import { withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import { STORED_INVOICE_FIELDS } from '../fields/invoice-fields.ts'
import { toSelectList } from '../fields/record-columns.ts'
import { listInvoiceHistory } from '../history/history.ts'
import { COMPARISON_COLUMNS } from '../kept/comparisons/comparison-columns.ts'
import { readCompleteness, toInvoiceCheck } from '../kept/plain-invoices/read-completeness.ts'
import type { ComparedLine, InvoiceDetail, RemovedLine } from '../model.ts'
import { listInvoiceEvents } from '../review/invoices/list-invoice-events.ts'
import { readInvoiceReviews, toReviewed } from '../review/invoices/read-reviewed.ts'
import { INVOICE_ROW_COLUMNS, INVOICE_WITH_COUNTS, toMark } from './list-invoices.ts'

/** The most lines of a kind shown on their invoice. */
const MOST_SHOWN = 100

type StoredInvoice = Omit<
  InvoiceDetail,
  | 'history'
  | 'completeness'
  | 'tieOut'
  | 'check'
  | 'review'
  | 'decisions'
  | 'seen'
  | 'removedLines'
  | 'comparedLines'
  | 'firstSeenAt'
  | 'changedAt'
> & {
  firstSeenAt: Date
  changedAt: Date
}

const DETAIL_COLUMNS = toSelectList('i', STORED_INVOICE_FIELDS, 'detail')

/**
 * One invoice with its line counts, proof of completeness, history and raw record; null when the
 * organization has no such invoice.
 */
export async function getInvoice(
  organizationId: OrganizationId,
  connection: string,
  serialNumber: string,
): Promise<InvoiceDetail | null> {
  const connectionId = parseConnectionId(connection)
  if (connectionId === null || serialNumber.includes('\0')) return null
  const { row, reviewed, removed, comparedLines, history, decisions } = await withTenantSnapshot(
    organizationId,
    async (sql) => {
      const [row] = await sql<StoredInvoice>(
        `select ${INVOICE_ROW_COLUMNS}, ${DETAIL_COLUMNS}, i.taxes_summary as "taxesSummary", i.raw::text as "rawText",
         c.name as "connectionName", i.first_seen_at as "firstSeenAt", i.changed_at as "changedAt"
       from ${INVOICE_WITH_COUNTS}
       join connection c on c.organization_id = i.organization_id and c.id = i.connection_id
       where i.organization_id = $1 and i.connection_id = $2 and i.serial_number = $3`,
        [organizationId, connectionId, serialNumber],
      )
      const key = { connectionId, serialNumber }
      const [proved] = await readCompleteness(sql, organizationId, [key])
      const reviewed = proved && toReviewed(proved, await readInvoiceReviews(sql, organizationId, [key]))
      const decisions = await listInvoiceEvents(sql, organizationId, key)
      const removed = await sql<Omit<RemovedLine, 'missingSince'> & { missingSince: Date }>(
        `select id, description, expense_date::text as "expenseDate", currency, total_amount::text as "totalAmount",
         missing_since as "missingSince"
       from line where organization_id = $1 and connection_id = $2 and invoice_serial_number = $3 and missing_since is not null
       order by missing_since desc, expense_date, id limit ${MOST_SHOWN}`,
        [organizationId, connectionId, serialNumber],
      )
      const comparedLines = await sql<ComparedLine>(
        `select ${COMPARISON_COLUMNS}, l.id, l.description, l.expense_date::text as "expenseDate"
       from line_comparison c join line l
         on l.organization_id = c.organization_id and l.connection_id = c.connection_id and l.id = c.line_id
       where c.organization_id = $1 and c.connection_id = $2 and c.invoice_serial_number = $3
       order by c.amount desc, c.line_id, c.code limit ${MOST_SHOWN}`,
        [organizationId, connectionId, serialNumber],
      )
      const history = await listInvoiceHistory(sql, organizationId, connectionId, serialNumber)
      return { row, reviewed, removed, comparedLines, history, decisions }
    },
  )
  if (row === undefined || reviewed === undefined) return null
  const { completeness, tieOut } = reviewed.proof
  return {
    ...row,
    history,
    completeness,
    tieOut,
    check: toInvoiceCheck(reviewed.proof),
    review: toMark(reviewed),
    decisions,
    seen: reviewed.review?.seen ?? null,
    comparedLines,
    removedLines: removed.map((line) => ({ ...line, missingSince: line.missingSince.toISOString() })),
    firstSeenAt: row.firstSeenAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
  }
}

export async function hasInvoice(
  organizationId: OrganizationId,
  connection: string,
  serialNumber: string,
): Promise<boolean> {
  const connectionId = parseConnectionId(connection)
  if (connectionId === null || serialNumber.includes('\0')) return false
  const found = await withTenantSql(organizationId, (sql) =>
    sql('select from invoice where organization_id = $1 and connection_id = $2 and serial_number = $3', [
      organizationId,
      connectionId,
      serialNumber,
    ]),
  )
  return found.length > 0
}
