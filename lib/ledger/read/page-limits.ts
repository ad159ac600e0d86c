/**
 * Conditions that take no line of a page away. They say where its lines are, so that the database
 * reads these, and not all lines up to them.
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseInvoiceSource, chooseLineSource } from '../conditions/line-source.ts'
import { toWholeMonths } from '../conditions/split-span.ts'
import { DEFAULT_LINE_QUERY, type LineFilters, type LineQuery } from '../query/line-query.ts'
import type { Jump } from '../sql/page-of-list.ts'
import { createSqlParameters, type SqlParameters } from '../sql/sql-parameters.ts'

/** Reading the lines of more invoices is no quicker than reading all lines. */
const MOST_SUMS = 1000

/**
 * The days of expense of all lines that were issued on the wanted days, as a condition on `l`; null
 * if no day of issue is asked for. Roll-ups have months of issue and ten days of expense, so these
 * may be too many days, and never too few.
 */
export function toExpenseLimits(
  organizationId: OrganizationId,
  { from, to, dateField }: LineFilters,
  parameters: SqlParameters,
): string | null {
  if (dateField !== 'issued' || (from === null && to === null)) return null
  const filters: LineFilters = { ...DEFAULT_LINE_QUERY, dateField, ...toWholeMonths({ from, to }) }
  const source = chooseLineSource(filters, ['expense_date'])
  const conditions = toLineConditions(organizationId, filters, parameters, source)
  const select = (day: string) => `(select ${day} from ${source.from} where ${conditions})`
  // the last ten days of a month are up to eleven
  return `l.expense_date >= ${select('min(l.expense_date)')} and l.expense_date <= ${select('max(l.expense_date) + 10')}`
}

/**
 * In an order by day of expense, the days before a page that is asked for by its number: their
 * lines are counted by ten days, and only the rest is walked. Null where no roll-up tells the
 * filters and the days apart, and for any other page.
 */
export function toJump(organizationId: OrganizationId, query: LineQuery, parameters: SqlParameters): Jump | null {
  const { sort, beside, page, pageSize } = query
  if (sort.key !== 'expense_date' || beside !== null || page === 1) return null
  const source = chooseLineSource(query, ['expense_date'])
  if (source.span !== null || !source.isRollup) return null
  const conditions = toLineConditions(organizationId, query, parameters, source)
  const skipped = parameters.add((page - 1) * pageSize)
  return {
    commonTable: `jump as materialized (
      select day, count from (
        select l.expense_date as day,
               sum(${source.lineCount}) over (order by l.expense_date ${toWay(query)})::bigint as count
        from ${source.from} where ${conditions} group by l.expense_date) d
      where count <= ${skipped}::bigint order by count desc limit 1)`,
    condition: sort.descending
      ? `l.expense_date < (select coalesce(max(day), 'infinity') from jump)`
      : `l.expense_date >= (select coalesce(to_ten_days(max(day) + 11), '-infinity') from jump)`,
    count: '(select coalesce(max(count), 0) from jump)',
  }
}

/** In an order by amount, the place in a currency up to which a page may go. */
export type AmountLimit = { currency: string; amount: DecimalText }

/** Of sums of an invoice's lines, the amount that none of them has more of, or less. */
const LIMIT_OF_SUM = { desc: 'l.greatest_amount', asc: 'l.least_amount' }

const toWay = ({ sort }: Pick<LineQuery, 'sort'>) => (sort.descending ? 'desc' : 'asc')

/**
 * How far a page of an order by amount goes at most, if each sum has a line of the amount that
 * limits it. That need not be so: a line that is gone may have given a limit. The page is then not
 * full, and has to be read without this. Null for any other page, and far down the list.
 */
export async function findAmountLimit(
  sql: Sql,
  organizationId: OrganizationId,
  query: LineQuery,
): Promise<AmountLimit | null> {
  const { sort, beside, page, pageSize } = query
  const source = chooseInvoiceSource(query)
  if (sort.key !== 'total_amount' || source === null || (beside !== null && beside.side === 'before')) return null
  const wanted = pageSize * (beside === null ? page : 1)
  if (wanted > MOST_SUMS) return null
  const parameters = createSqlParameters()
  const limit = LIMIT_OF_SUM[toWay(query)]
  const sums = `${source.from} where ${toLineConditions(organizationId, query, parameters, source)}`
  const [found] = await sql<AmountLimit & { sumCount: number }>(
    `with edge as (
       select l.currency, ${limit} as amount from ${sums} and ${toStart(organizationId, query, limit, parameters)}
       order by l.currency, ${limit} ${toWay(query)} offset ${wanted - 1} limit 1)
     select e.currency, e.amount::text, s.count as "sumCount"
     from edge e, lateral (select count(*)::int from ${sums} and ${isUpTo(limit, query, 'e.currency', 'e.amount')}) s`,
    parameters.values,
  )
  return found === undefined || found.sumCount > MOST_SUMS ? null : found
}

/** Leaves out the sums that end before the record after which a page begins. */
function toStart(
  organizationId: OrganizationId,
  { beside, sort }: LineQuery,
  limit: string,
  parameters: SqlParameters,
) {
  if (!beside?.row) return 'true'
  const key = [organizationId, beside.row.connectionId, beside.row.id].map(parameters.add)
  return `exists (
    select from line s where s.organization_id = ${key[0]}::uuid and s.connection_id = ${key[1]}::uuid and s.id = ${key[2]}
      and (l.currency > s.currency or (l.currency = s.currency and ${limit} ${sort.descending ? '<=' : '>='} s.total_amount)))`
}

/** The lines up to a limit, and the invoices that may have some, as a condition on `l`. */
export function toAmountLimits(
  organizationId: OrganizationId,
  query: LineQuery,
  { currency, amount }: AmountLimit,
  parameters: SqlParameters,
): string | null {
  const source = chooseInvoiceSource(query)
  if (source === null) return null
  const place = [`${parameters.add(currency)}::text`, `${parameters.add(amount)}::numeric`] as const
  const sums = `${source.from} where ${toLineConditions(organizationId, query, parameters, source)}`
  // an array, since an index then finds their lines, however many the database thinks they are
  return `${isUpTo('l.total_amount', query, ...place)} and l.invoice_serial_number = any (array(
    select l.invoice_serial_number from ${sums} and ${isUpTo(LIMIT_OF_SUM[toWay(query)], query, ...place)}))`
}

function isUpTo(column: string, { sort }: LineQuery, currency: string, amount: string): string {
  return `(l.currency < ${currency} or (l.currency = ${currency} and ${column} ${sort.descending ? '>=' : '<='} ${amount}))`
}
