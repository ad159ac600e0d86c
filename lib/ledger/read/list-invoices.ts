import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { ROLLUP_OF_INVOICE, toInvoiceConditions } from '../conditions/invoice-conditions.ts'
import { STORED_INVOICE_FIELDS } from '../fields/invoice-fields.ts'
import { toSelectList } from '../fields/record-columns.ts'
import type { CurrencyTotal, InvoiceCheck, InvoiceList, InvoiceRow } from '../model.ts'
import { hasInvoiceFilters, type InvoiceQuery, type InvoiceSortKey } from '../query/invoice-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, toOrder } from '../sql/sql-order.ts'
import { createSqlParameters, joinConditions, type SqlParameters } from '../sql/sql-parameters.ts'
import { readCompleteness, surveyCompleteness, toInvoiceCheck } from './read-completeness.ts'

const SORT_COLUMNS: Record<InvoiceSortKey, SortColumn[]> = {
  issuing_date: [{ sql: 'i.issuing_date', isNullable: true }],
  due_date: [{ sql: 'i.due_date', isNullable: true }],
  serial_number: [{ sql: 'i.serial_number', isNullable: false }],
  profile: [{ sql: 'i.profile_name', isNullable: true }],
  mode: [{ sql: 'i.mode', isNullable: true }],
  status: [{ sql: 'i.status', isNullable: true }],
  total: [{ sql: 'i.total', isNullable: false }],
  lines: [{ sql: 'coalesce(counted.line_count, 0)', isNullable: false }],
  findings: [{ sql: 'coalesce(counted.finding_count, 0)', isNullable: false }],
}

/** The counts of an invoice's lines. The sum covers the lines in the invoice's own currency. */
const COUNTED = `
  select sum(l.line_count) as line_count, sum(l.finding_count) as finding_count,
    sum(l.total_amount) filter (where l.currency = i.currency) as line_total
  from invoice_rollup l where ${ROLLUP_OF_INVOICE}`

/** The columns of an `InvoiceRow`, from `invoice i` and `counted`. */
export const INVOICE_ROW_COLUMNS = `${toSelectList('i', STORED_INVOICE_FIELDS, 'row')},
  coalesce(counted.line_count, 0)::int as "lineCount", counted.line_total::text as "lineTotal",
  coalesce(counted.finding_count, 0)::int as "findingCount"`

/**
 * FROM for invoices with their counts, looked up by key: a join could take its square while the
 * tables have no statistics.
 */
export const INVOICE_WITH_COUNTS = `invoice i left join lateral (${COUNTED}) counted on true`

/**
 * One page of the filtered invoices with their line counts, and the totals per currency, read at
 * one moment.
 */
export function listInvoices(organizationId: OrganizationId, query: InvoiceQuery): Promise<InvoiceList> {
  return withTenantSql(organizationId, async (sql) => {
    const { rows, totals, all } = await readList(sql, organizationId, query)
    const checks = await readChecks(sql, organizationId, rows)
    const invoiceCount = totals.reduce((count, total) => count + total.invoiceCount, 0)
    return {
      rows: rows.map((row) => ({ ...row, check: checks.get(toKey(row)) as InvoiceCheck })),
      invoiceCount,
      allInvoiceCount: all[0]?.count ?? invoiceCount,
      totals,
      page: query.page,
      pageCount: Math.max(1, Math.ceil(invoiceCount / query.pageSize)),
    }
  })
}

async function readList(sql: Sql, organizationId: OrganizationId, query: InvoiceQuery) {
  const parameters = createSqlParameters()
  const conditions = joinConditions([
    toInvoiceConditions(organizationId, query, parameters),
    await toVerdictCondition(sql, organizationId, query, parameters),
  ])
  const limit = parameters.add(query.pageSize)
  const offset = parameters.add((query.page - 1) * query.pageSize)
  const order = toOrder(SORT_COLUMNS[query.sort.key], query.sort.descending, ['i.connection_id', 'i.serial_number'])
  const isByCount = query.sort.key === 'lines' || query.sort.key === 'findings'
  return selectTogether<{
    rows: Omit<InvoiceRow, 'check'>[]
    totals: CurrencyTotal[]
    all: { count: number }[]
  }>(
    sql,
    {
      // picks the page first, to look up only its invoices' counts
      rows: `select ${INVOICE_ROW_COLUMNS}
             from (select i.*, row_number() over (order by ${order}) as place
                   from ${isByCount ? INVOICE_WITH_COUNTS : 'invoice i'} where ${conditions}
                   order by place limit ${limit} offset ${offset}) i
             left join lateral (${COUNTED}) counted on true
             order by i.place`,
      totals: `select i.currency, count(*)::int as "invoiceCount", coalesce(sum(counted.line_count), 0)::int as "lineCount",
                 sum(i.total)::text as "totalAmount", coalesce(sum(counted.finding_count), 0)::int as "findingCount"
               from ${INVOICE_WITH_COUNTS} where ${conditions} group by i.currency order by i.currency`,
      all: `select count(*)::int as count from invoice where organization_id = $1::uuid and missing_since is null
            ${hasInvoiceFilters(query) ? '' : 'having false'}`,
    },
    parameters.values,
  )
}

/** The invoices with one of these verdicts; most complete ones are those that no proof denies. */
async function toVerdictCondition(
  sql: Sql,
  organizationId: OrganizationId,
  query: InvoiceQuery,
  parameters: SqlParameters,
): Promise<string | null> {
  if (query.verdicts.length === 0) return null
  const { proved } = await surveyCompleteness(sql, organizationId, {})
  const arePlainWanted = query.verdicts.includes('complete')
  const named = proved.filter(({ completeness: { verdict } }) => query.verdicts.includes(verdict) !== arePlainWanted)
  const connections = parameters.add(named.map(({ connectionId }) => connectionId))
  const serials = parameters.add(named.map(({ serialNumber }) => serialNumber))
  const membership = arePlainWanted ? 'not in' : 'in'
  return `(i.connection_id, i.serial_number) ${membership} (select * from unnest(${connections}::uuid[], ${serials}::text[]))`
}

async function readChecks(sql: Sql, organizationId: OrganizationId, rows: Omit<InvoiceRow, 'check'>[]) {
  const proved = rows.length === 0 ? [] : await readCompleteness(sql, organizationId, rows)
  return new Map(proved.map((invoice) => [toKey(invoice), toInvoiceCheck(invoice.completeness)]))
}

function toKey({ connectionId, serialNumber }: { connectionId: ConnectionId; serialNumber: string }): string {
  return `${connectionId} ${serialNumber}`
}
