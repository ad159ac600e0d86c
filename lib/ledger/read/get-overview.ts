import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { INVOICE_COUNT } from '../conditions/invoice-conditions.ts'
import { chooseLineSource } from '../conditions/line-source.ts'
import { IS_EXPLAINED, LINE_DIFFERENCE } from '../fields/line-fields.ts'
import type {
  FindingTotal,
  GoneInvoices,
  GoneTotal,
  LineTotal,
  MonthTotal,
  NavigationCounts,
  Overview,
} from '../model.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { toLineCountQuery } from './line-totals.ts'

const BY_MONTH = chooseLineSource(DEFAULT_LINE_QUERY, ['expense_date', 'currency', 'related_vertical'])

/** Every line once, by month, currency and vertical; the organization's figures come from it. */
const MONTHLY = `
  with monthly as materialized (
    select to_char(l.expense_date, 'YYYY-MM') as month, l.currency, l.related_vertical, ${BY_MONTH.lineCount} as line_count,
           sum(l.total_amount) as total_amount, sum(l.finding_count) as finding_count
    from ${BY_MONTH.from} where l.organization_id = $1::uuid and ${BY_MONTH.condition}
    group by 1, 2, 3)`

const CURRENCIES = `
  select currency, sum(line_count)::int as "lineCount", sum(total_amount)::text as "totalAmount",
         sum(finding_count)::int as "findingCount"
  from monthly group by currency order by currency`

/** Differences of opposite signs do not cancel; the tax's is part of what the total should be. */
const FINDINGS = `
  select outcome, currency, count(*)::int as "lineCount",
         coalesce(sum(difference) filter (where difference > 0), 0)::text as overcharged,
         coalesce(-sum(difference) filter (where difference < 0), 0)::text as undercharged
  from (select l.currency, ${LINE_DIFFERENCE} as difference,
               case when ${IS_EXPLAINED} then 'explained' else 'unexplained' end as outcome
        from line l where l.organization_id = $1::uuid and l.missing_since is null and l.finding_count > 0) line
  group by outcome, currency order by outcome desc, currency`

const GONE = `
  select currency, count(*)::int as "lineCount", sum(total_amount)::text as "totalAmount"
  from line where organization_id = $1::uuid and missing_since >= ($2::date::timestamp at time zone 'UTC')
  group by currency order by currency`

const GONE_INVOICES = `
  select currency, count(*)::int as "invoiceCount", sum(total)::text as "totalAmount"
  from invoice where organization_id = $1::uuid and missing_since >= ($2::date::timestamp at time zone 'UTC')
  group by currency order by currency`

const MONTHS = `
  select month, currency, related_vertical as "relatedVertical", total_amount::text as "totalAmount"
  from monthly order by month, currency, related_vertical nulls last`

/**
 * The figures of the whole organization, one per currency, read at one moment. `goneSince`: from
 * which day on a line or an invoice that the platform removed is named.
 */
export async function getOverview(organizationId: OrganizationId, goneSince: Day): Promise<Overview> {
  const { currencies, findings, gone, goneInvoices, months, counts } = await withTenantSql(organizationId, (sql) =>
    selectTogether<{
      currencies: LineTotal[]
      findings: FindingTotal[]
      gone: GoneTotal[]
      goneInvoices: GoneInvoices[]
      months: MonthTotal[]
      counts: { rejected: number; invoices: number }[]
    }>(
      sql,
      {
        currencies: CURRENCIES,
        findings: FINDINGS,
        gone: GONE,
        goneInvoices: GONE_INVOICES,
        months: MONTHS,
        counts: `select count(*)::int as rejected, ${INVOICE_COUNT} as invoices from rejected_line
                 where organization_id = $1::uuid and resolved_at is null`,
      },
      [organizationId, goneSince],
      MONTHLY,
    ),
  )
  return {
    currencies,
    findings,
    gone: { since: goneSince, totals: gone, invoices: goneInvoices },
    rejectedCount: counts[0]?.rejected ?? 0,
    invoiceCount: counts[0]?.invoices ?? 0,
    lineCount: currencies.reduce((count, total) => count + total.lineCount, 0),
    months,
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
