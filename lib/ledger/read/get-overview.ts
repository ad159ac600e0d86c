import { type Sql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { UNDECIDED } from '#lib/reconcile/review/review-state.ts'
import { toLineCountQuery } from '../conditions/count-lines.ts'
import { INVOICE_COUNT, toInvoiceConditions } from '../conditions/invoice-conditions.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource, toLines } from '../conditions/line-source.ts'
import type {
  FindingTotal,
  GoneInvoices,
  GoneTotal,
  LineTotal,
  MonthTotal,
  NavigationCounts,
  Overview,
} from '../model.ts'
import { DEFAULT_INVOICE_QUERY } from '../query/invoice-query.ts'
import { EVERYTHING, isEverything, type LedgerScope } from '../query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY, type LineFilters } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import {
  createSqlParameters,
  joinConditions,
  type SqlParameters,
  toAnyOf,
  toConnectionCondition,
  toOwnPlaceholder,
} from '../sql/sql-parameters.ts'
import { toFindingSums } from './sum-findings.ts'

const BY_EXPENSE = `to_char(l.expense_date, 'YYYY-MM')`
/** How the lines are summed up by month, the most telling first. */
const MONTHS_OF = [
  {
    monthsOf: 'expense',
    month: BY_EXPENSE,
    vertical: 'l.related_vertical',
    columns: ['expense_date', 'related_vertical'],
  },
  { monthsOf: 'expense', month: BY_EXPENSE, vertical: 'null', columns: ['expense_date'] },
  { monthsOf: 'issue', month: `to_char(l.issuing_date, 'YYYY-MM')`, vertical: 'null', columns: ['issuing_date'] },
] as const

/**
 * Every line of the scope once, by month, currency and vertical: no roll-up tells all scopes apart
 * by all of these, and a page does not add up a million lines for a drawing.
 */
function chooseMonths(filters: LineFilters) {
  const choices = MONTHS_OF.map((each) => ({
    ...each,
    source: chooseLineSource(filters, ['currency', ...each.columns]),
  }))
  // days in the wrong order find nothing, in the lines as well
  return choices.find(({ source }) => source.isRollup) ?? (choices[0] as (typeof choices)[number])
}

function toMonthly(organizationId: OrganizationId, filters: LineFilters, parameters: SqlParameters) {
  const { monthsOf, month, vertical, source, columns } = chooseMonths(filters)
  const monthly = `
    with monthly as materialized (
      select ${month} as month, l.currency, ${vertical} as related_vertical, ${source.lineCount} as line_count,
             sum(l.total_amount) as total_amount, sum(l.finding_count) as finding_count, ${source.toLineStates(toOwnPlaceholder(organizationId, parameters))} as line_states
      from ${source.from} where ${toLineConditions(organizationId, filters, parameters, source)}
      group by 1, 2, 3 ${source.having})`
  return { monthsOf, monthly, isSplit: columns.length > 1 }
}

const CURRENCIES = `
  select currency, sum(line_count)::int as "lineCount", sum(total_amount)::text as "totalAmount",
         sum(finding_count)::int as "findingCount", unpack_states(sum(line_states)) as "lineStates"
  from monthly group by currency order by currency`

/** What nobody has decided, or has changed since. */
function toFindingsQuery(organizationId: OrganizationId, scope: LineFilters, parameters: SqlParameters): string {
  const filters = { ...scope, findingsOnly: true, reviews: [...UNDECIDED] }
  return toFindingSums(organizationId, filters, parameters)
}

function toGoneQuery(
  organizationId: OrganizationId,
  scope: LineFilters,
  since: Day,
  parameters: SqlParameters,
): string {
  const filters = { ...scope, goneOnly: true }
  return `
    select l.currency, count(*)::int as "lineCount", sum(l.total_amount)::text as "totalAmount"
    from line l where ${toLineConditions(organizationId, filters, parameters, toLines(filters))}
      and l.missing_since >= (${parameters.add(since)}::date::timestamp at time zone 'UTC')
    group by l.currency order by l.currency`
}

/** An invoice has no day of expense: of such days none is named. */
function toGoneInvoicesQuery(
  organizationId: OrganizationId,
  { connections, profiles, currencies, from, to, dateField }: LedgerScope,
  since: Day,
  parameters: SqlParameters,
): string {
  if (dateField === 'expense' && (from !== null || to !== null)) return 'select where false'
  const filters = { ...DEFAULT_INVOICE_QUERY, connections, profiles, currencies, from, to, goneOnly: true }
  return `
    select i.currency, count(*)::int as "invoiceCount", sum(i.total)::text as "totalAmount"
    from invoice i where ${toInvoiceConditions(organizationId, filters, parameters)}
      and i.missing_since >= (${parameters.add(since)}::date::timestamp at time zone 'UTC')
    group by i.currency order by i.currency`
}

/** A record that could not be read has the day, profile and currency of its invoice, if any. */
function toRejectedQuery(organizationId: OrganizationId, scope: LedgerScope, parameters: SqlParameters): string {
  const { connections, profiles, currencies, from, to, dateField } = scope
  const hasDays = from !== null || to !== null
  const needsInvoice = profiles.length + currencies.length > 0 || hasDays
  const conditions = joinConditions([
    `r.organization_id = ${parameters.add(organizationId)}::uuid`,
    'r.resolved_at is null',
    toConnectionCondition('r.connection_id', connections, parameters),
    toAnyOf('i.profile_id', profiles, parameters),
    toAnyOf('i.currency', currencies, parameters),
    hasDays && dateField === 'expense' ? 'false' : null,
    from === null ? null : `i.issuing_date >= ${parameters.add(from)}::date`,
    to === null ? null : `i.issuing_date <= ${parameters.add(to)}::date`,
  ])
  const invoice = `left join invoice i on i.organization_id = r.organization_id and i.connection_id = r.connection_id
                                      and i.serial_number = r.invoice_serial_number`
  return `select count(*)::int as rejected from rejected_line r ${needsInvoice ? invoice : ''} where ${conditions}`
}

type Rows = {
  profiles: Overview['profiles']
  currencies: LineTotal[]
  months: MonthTotal[]
  invoices: { count: number }[]
  findings: FindingTotal[]
  gone: GoneTotal[]
  goneInvoices: GoneInvoices[]
  rejected: { rejected: number }[]
  allFindings: FindingTotal[]
  allGone: GoneTotal[]
  allGoneInvoices: GoneInvoices[]
  allRejected: { rejected: number }[]
}

/**
 * The figures of a scope, one per currency, and what is in question in all of the organization,
 * read at one moment, or `within` another read. `goneSince`: from which day on a line or an invoice
 * that the platform removed is named.
 */
export async function getOverview(
  organizationId: OrganizationId,
  goneSince: Day,
  scope: LedgerScope = EVERYTHING,
  within?: Sql,
): Promise<Overview> {
  const parameters = createSqlParameters()
  // the count of the invoices has the organization as its first
  parameters.add(organizationId)
  const toTroubles = (of: LedgerScope) => {
    const filters = { ...DEFAULT_LINE_QUERY, ...of }
    return {
      findings: toFindingsQuery(organizationId, filters, parameters),
      gone: toGoneQuery(organizationId, filters, goneSince, parameters),
      goneInvoices: toGoneInvoicesQuery(organizationId, of, goneSince, parameters),
      rejected: toRejectedQuery(organizationId, of, parameters),
    }
  }
  const none = 'select where false'
  const { monthsOf, monthly, isSplit } = toMonthly(organizationId, { ...DEFAULT_LINE_QUERY, ...scope }, parameters)
  const whole = toTroubles(EVERYTHING)
  const own = isEverything(scope)
    ? { findings: none, gone: none, goneInvoices: none, rejected: none }
    : toTroubles(scope)
  const queries = {
    currencies: CURRENCIES,
    months: `select month, currency, related_vertical as "relatedVertical", total_amount::text as "totalAmount"
             from monthly order by month, currency, related_vertical nulls last`,
    invoices: `select ${INVOICE_COUNT} as count`,
    profiles: `select id, name, connection_id as "connectionId" from profile
               where organization_id = $1::uuid order by name nulls last, id`,
    ...own,
    allFindings: whole.findings,
    allGone: whole.gone,
    allGoneInvoices: whole.goneInvoices,
    allRejected: whole.rejected,
  }
  const read = (sql: Sql) => selectTogether<Rows>(sql, queries, parameters.values, monthly)
  const rows = await withTenantSnapshot(organizationId, read, { within })
  const { profiles, currencies, months } = rows
  const all = {
    findings: rows.allFindings,
    gone: { since: goneSince, totals: rows.allGone, invoices: rows.allGoneInvoices },
    rejectedCount: rows.allRejected[0]?.rejected ?? 0,
  }
  const inScope = {
    findings: rows.findings,
    gone: { since: goneSince, totals: rows.gone, invoices: rows.goneInvoices },
    rejectedCount: rows.rejected[0]?.rejected ?? 0,
  }
  return {
    profiles,
    currencies,
    ...(isEverything(scope) ? all : inScope),
    all,
    invoiceCount: rows.invoices[0]?.count ?? 0,
    lineCount: currencies.reduce((count, total) => count + total.lineCount, 0),
    months,
    monthsOf,
    isSplit,
  }
}

/** The counts beside the names in the navigation. */
export async function countsForNavigation(organizationId: OrganizationId): Promise<NavigationCounts> {
  const parameters = createSqlParameters()
  parameters.add(organizationId)
  const [counts] = await withTenantSql(organizationId, (sql) =>
    sql<NavigationCounts>(
      `select ${INVOICE_COUNT} as invoices,
              (${toLineCountQuery(organizationId, parameters)}) as lines`,
      parameters.values,
    ),
  )
  return counts as NavigationCounts
}
