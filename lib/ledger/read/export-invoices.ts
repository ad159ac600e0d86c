import type { OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { STORED_INVOICE_FIELDS } from '../fields/invoice-fields.ts'
import { type FileRowOf, toFileValues } from '../fields/record-columns.ts'
import { proveEach } from '../kept/plain-invoices/read-completeness.ts'
import type { InvoiceQuery } from '../query/invoice-query.ts'
import { readInvoiceReviews, toReviewed } from '../review/invoices/read-reviewed.ts'
import { writeOrder } from '../sql/sql-order.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { type CursorReader, type Derivation, openDerivedCursor, type RowCursor } from '../sql/tenant-cursor.ts'
import { INVOICE_WITH_COUNTS, toInvoiceKey, toListedInvoices, toMark } from './list-invoices.ts'

type StoredRow = FileRowOf<typeof STORED_INVOICE_FIELDS> & {
  connectionName: string | null
  /** Digits. */
  lineCount: string
  isGone: 'true' | 'false'
}

/** One invoice with its tie-out (docs/csv.md). Amounts are in its currency. */
export type InvoiceExportRow = StoredRow & {
  linesTotal: DecimalText
  notImported: DecimalText
  /** Never below zero, whatever sign the invoice states it with. */
  creditTaken: DecimalText | null
  comesTo: DecimalText
  residual: DecimalText
  unexplained: DecimalText
  explainedBy: string
  findingCodes: string
  /** Where it stands by itself, without its lines; empty: there is nothing to decide. */
  review: ReviewChoice | ''
}

const BATCH_ROWS = 500
const VALUES = toFileValues('i', STORED_INVOICE_FIELDS)

/**
 * All filtered invoices in the list's order, ignoring the query's page, read in batches, each tied
 * out; the proofs see the same moment as the rows.
 * @throws like `openTenantCursor`
 */
export function openInvoiceExport(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: InvoiceQuery,
): Promise<RowCursor<InvoiceExportRow>> {
  return openDerivedCursor(organizationId, reader, toInvoiceRows(organizationId, query), BATCH_ROWS)
}

/** The same for whoever keeps a cursor of their own: the query, and what becomes of its rows. */
export function toInvoiceRows(
  organizationId: OrganizationId,
  query: InvoiceQuery,
): Derivation<StoredRow, InvoiceExportRow> {
  return {
    toQuery: async (sql) => {
      const parameters = createSqlParameters()
      const { conditions, own, ownTables } = await toListedInvoices(sql, organizationId, query, parameters)
      const values = Object.entries(VALUES).map(([name, value]) => `${value} as "${name}"`)
      const text = `${ownTables.length === 0 ? '' : `with ${ownTables.join(', ')}`}
          select ${values.join(', ')}, c.name as "connectionName", coalesce(counted.line_count, 0)::text as "lineCount",
            (i.missing_since is not null)::text as "isGone"
          from ${INVOICE_WITH_COUNTS} ${own}
          join connection c on c.organization_id = i.organization_id and c.id = i.connection_id
          where ${conditions} order by ${writeOrder(toInvoiceKey(query))}`
      return { text, values: parameters.values }
    },
    derive: async (sql, rows) => {
      const proved = await proveEach(sql, organizationId, rows)
      const reviews = await readInvoiceReviews(sql, organizationId, rows)
      return proved.map(({ row, proof }) => {
        const { tieOut, findings } = proof
        return {
          ...row,
          linesTotal: tieOut.lines,
          notImported: tieOut.notImported.amount,
          creditTaken: tieOut.creditUsed,
          comesTo: tieOut.comesTo,
          residual: tieOut.difference,
          unexplained: tieOut.unexplained,
          explainedBy: tieOut.explained.map(({ reason }) => reason).join(' '),
          findingCodes: findings.map(({ code }) => code).join(' '),
          review: toMark(toReviewed(proof, reviews))?.state ?? '',
        }
      })
    },
  }
}
