/**
 * Conditions that take no line of a page away. They say where its lines are, so that the database
 * reads these, and not all lines up to them.
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toTripLabel } from '../conditions/group-key-columns.ts'
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

/**
 * The place in the order up to which a page goes at most: an amount in a currency, or the beginning
 * of a trip's name.
 */
export type PageLimit = { currency: string; amount: DecimalText } | { name: string }

const toWay = ({ sort }: Pick<LineQuery, 'sort'>) => (sort.descending ? 'desc' : 'asc')

/**
 * How far a page goes at most, by sums of lines of which each stands for a line up to its own
 * limit. That need not be so: a line that is gone may have given a limit. The page is then not
 * full, and has to be read without this. Null for orders without limits, and far down the list.
 */
export async function findPageLimit(
  sql: Sql,
  organizationId: OrganizationId,
  query: LineQuery,
): Promise<PageLimit | null> {
  const { beside, page, pageSize } = query
  const toQuery = FINDS[query.sort.key]
  const wanted = pageSize * (beside === null ? page : 1)
  if (toQuery === undefined || beside?.side === 'before' || wanted > MOST_SUMS) return null
  const parameters = createSqlParameters()
  const text = toQuery(organizationId, query, parameters, wanted)
  if (text === null) return null
  const [found] = await sql<PageLimit & { sumCount: number }>(text, parameters.values)
  return found === undefined || found.sumCount > MOST_SUMS ? null : found
}

/** The lines up to a limit, and the invoices or trips that may have some, as a condition on `l`. */
export function toPageLimits(
  organizationId: OrganizationId,
  query: LineQuery,
  limit: PageLimit,
  parameters: SqlParameters,
): string | null {
  // an array, since an index then finds their lines, however many the database thinks they are
  if ('name' in limit) {
    const place = `${parameters.add(limit.name)}::text`
    const sums = toTripSums(organizationId, query, parameters)
    const isUpTo = isNameUpTo(query, place)
    return (
      sums &&
      `${isUpTo(NAME_OF_LINE)} and l.trip_id = any (array(
         select l.trip_id from ${toFirstNames(sums, query)} where ${isUpTo('l.name')}
         union all select l.trip_id from ${sums} and ${HAS_NAMES}))`
    )
  }
  const place = [`${parameters.add(limit.currency)}::text`, `${parameters.add(limit.amount)}::numeric`] as const
  const sums = toInvoiceSums(organizationId, query, parameters)
  const isUpTo = isAmountUpTo(query, ...place)
  return (
    sums &&
    `${isUpTo('l.total_amount')} and l.invoice_serial_number = any (array(
       select l.invoice_serial_number from ${sums} and ${isUpTo(LIMIT_OF_SUM[toWay(query)])}))`
  )
}

type FindQuery = (
  organizationId: OrganizationId,
  query: LineQuery,
  parameters: SqlParameters,
  wanted: number,
) => string | null

const FINDS: Partial<Record<LineQuery['sort']['key'], FindQuery>> = { total_amount: findAmount, trip: findName }

/** Of sums of an invoice's lines, the amount that none of them has more of, or less. */
const LIMIT_OF_SUM = { desc: 'l.greatest_amount', asc: 'l.least_amount' }

function toInvoiceSums(organizationId: OrganizationId, query: LineQuery, parameters: SqlParameters): string | null {
  const source = chooseInvoiceSource(query)
  return source && `${source.from} where ${toLineConditions(organizationId, query, parameters, source)}`
}

function isAmountUpTo({ sort }: LineQuery, currency: string, amount: string) {
  const sign = sort.descending ? '>=' : '<='
  return (column: string) => `(l.currency < ${currency} or (l.currency = ${currency} and ${column} ${sign} ${amount}))`
}

function findAmount(
  organizationId: OrganizationId,
  query: LineQuery,
  parameters: SqlParameters,
  wanted: number,
): string | null {
  const sums = toInvoiceSums(organizationId, query, parameters)
  if (sums === null) return null
  const limit = LIMIT_OF_SUM[toWay(query)]
  const start = toStart(organizationId, query, parameters)
  const sign = query.sort.descending ? '<=' : '>='
  const isFromStart = start
    ? `(l.currency > ${start('currency')} or (l.currency = ${start('currency')} and ${limit} ${sign} ${start('total_amount')}))`
    : 'true'
  return `
    with edge as (
      select l.currency, ${limit} as amount from ${sums} and ${isFromStart}
      order by l.currency, ${limit} ${toWay(query)} offset ${wanted - 1} limit 1)
    select e.currency, e.amount::text, s.count as "sumCount"
    from edge e, lateral (
      select count(*)::int from ${sums} and ${isAmountUpTo(query, 'e.currency', 'e.amount')(limit)}) s`
}

/** As much of a name as the index of the labels has. */
const NAME_OF_LINE = 'left(l.trip_name, 100)'
/** As the index trip_rollup_by_label has it. */
const NAME_OF_SUM = `left(coalesce(${toTripLabel('l.dated_label')}, l.trip_id), 100)`

function toTripSums(organizationId: OrganizationId, query: LineQuery, parameters: SqlParameters): string | null {
  const source = chooseLineSource(query, ['trip_id'])
  if (source.name !== 'trip_rollup') return null
  return `${source.from} where ${toLineConditions(organizationId, query, parameters, source)}`
}

function isNameUpTo({ sort }: LineQuery, name: string) {
  return (column: string) => `${column} ${sort.descending ? '>=' : '<='} ${name}`
}

/**
 * The names at the beginning of the list, with their trips, from the index: behind row-level
 * security it gives an order, but is no help to compare with what it makes of a name.
 */
function toFirstNames(sums: string, query: LineQuery): string {
  return `(select ${NAME_OF_SUM} as name, l.trip_id, l.dated_label from ${sums}
           order by ${NAME_OF_SUM} ${toWay(query)} limit ${MOST_SUMS + 1}) l`
}

/** A trip that may have lines of other names than its label's. */
const HAS_NAMES = 'l.has_names'

/** There is no limit where lines without a trip have a trip's name: no index of trips has them. */
function findName(
  organizationId: OrganizationId,
  query: LineQuery,
  parameters: SqlParameters,
  wanted: number,
): string | null {
  const sums = toTripSums(organizationId, query, parameters)
  if (sums === null) return null
  const start = toStart(organizationId, query, parameters)
  const sign = query.sort.descending ? '<=' : '>='
  const isFromStart = start ? `l.name ${sign} left(${start('trip_name')}, 100)` : 'true'
  return `
    with first as materialized (select * from ${toFirstNames(sums, query)}),
      edge as (
        select l.name from first l where l.dated_label is not null and ${isFromStart}
        order by l.name ${toWay(query)} offset ${wanted - 1} limit 1)
    select e.name, (select count(*)::int from first l where ${isNameUpTo(query, 'e.name')('l.name')})
                   + (select count(*)::int from ${sums} and ${HAS_NAMES}) as "sumCount"
    from edge e
    where not exists (select from ${sums} and l.trip_id is null and l.dated_label is not null)`
}

/** Columns of the line after which a page begins; null at the beginning of the list. */
function toStart(organizationId: OrganizationId, { beside }: LineQuery, parameters: SqlParameters) {
  if (!beside?.row) return null
  const [organization, connection, id] = [organizationId, beside.row.connectionId, beside.row.id].map(parameters.add)
  return (column: string) => `(
    select s.${column} from line s
    where s.organization_id = ${organization}::uuid and s.connection_id = ${connection}::uuid and s.id = ${id})`
}
