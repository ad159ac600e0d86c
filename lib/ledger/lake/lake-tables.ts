/** The lake's tables as they are read: in one transaction, which sees one moment. */
import { createHash, type Hash } from 'node:crypto'
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { parsePeriod } from '#lib/reconcile/period.ts'
import { DEFAULT_INVOICE_QUERY, type InvoiceQuery } from '../query/invoice-query.ts'
import { type InvoiceExportRow, toInvoiceRows } from '../read/export-invoices.ts'
import type { Derivation } from '../sql/tenant-cursor.ts'
import { markLineMonths, toLineTableQuery } from './line-tables.ts'
import { type LakeKind, type LakeRow, type MarkedMonth, UNDATED } from './model.ts'

const BATCH_ROWS = 1000
const CURSOR = 'lake_rows'

/** The months of a kind that have rows, each with its mark, in their order. */
export function markMonths(sql: Sql, organizationId: OrganizationId, kind: LakeKind): Promise<MarkedMonth[]> {
  return kind === 'invoices' ? markInvoiceMonths(sql, organizationId) : markLineMonths(sql, organizationId, kind)
}

/**
 * The rows of a month in the order of its file, a batch at a time: memory holds two batches. Only
 * one such reading may be under way in a transaction.
 */
export function readMonth(
  sql: Sql,
  organizationId: OrganizationId,
  kind: LakeKind,
  month: string,
): AsyncGenerator<LakeRow[]> {
  if (kind === 'invoices') return readInvoices(sql, organizationId, month)
  const query = toLineTableQuery(organizationId, kind, month)
  return readBatches<LakeRow, LakeRow>(sql, { toQuery: async () => query, derive: async (_, rows) => rows })
}

/**
 * While one batch is used the database makes the next. A reader that leaves early closes the
 * cursor; after a failure the transaction's end does.
 */
async function* readBatches<Row extends Record<string, unknown>, Out>(
  sql: Sql,
  { toQuery, derive }: Derivation<Row, Out>,
): AsyncGenerator<Out[]> {
  const { text, values } = await toQuery(sql)
  await sql(`declare ${CURSOR} no scroll cursor for ${text}`, values)
  const askNext = () => {
    const rows = sql<Row>(`fetch forward ${BATCH_ROWS} from ${CURSOR}`)
    rows.catch(() => undefined) // told to whoever awaits it
    return rows
  }
  let coming = askNext()
  for (let rows = await coming; rows.length > 0; rows = await coming) {
    coming = askNext()
    yield await derive(sql, rows)
  }
  await sql(`close ${CURSOR}`)
}

const BY_DAY: InvoiceQuery = { ...DEFAULT_INVOICE_QUERY, sort: { key: 'issuing_date', descending: false } }
const toMonth = ({ issuingDate }: InvoiceExportRow) => issuingDate?.slice(0, 7) ?? UNDATED

/**
 * An invoice's tie-out is made when it is read, so its mark is a hash of what it comes to. There
 * are a hundredth as many invoices as lines.
 */
async function markInvoiceMonths(sql: Sql, organizationId: OrganizationId): Promise<MarkedMonth[]> {
  const hashes = new Map<string, Hash>()
  for await (const rows of readBatches(sql, toInvoiceRows(organizationId, BY_DAY)))
    for (const row of rows) {
      const month = toMonth(row)
      const hash = hashes.get(month) ?? createHash('sha256')
      hashes.set(month, hash.update(JSON.stringify(Object.values(row))))
    }
  return [...hashes].map(([month, hash]) => ({ month, mark: hash.digest('hex') }))
}

async function* readInvoices(sql: Sql, organizationId: OrganizationId, month: string): AsyncGenerator<LakeRow[]> {
  const { from = null, to = null } = parsePeriod(month) ?? {}
  for await (const rows of readBatches(sql, toInvoiceRows(organizationId, { ...BY_DAY, from, to }))) {
    const own = rows.filter((row) => toMonth(row) === month)
    if (own.length > 0) yield own
  }
}
