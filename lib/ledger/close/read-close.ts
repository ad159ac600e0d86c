/**
 * The months of every profile and where each stands, and one of them in full
 * (docs/decisions/063-close-page.md).
 */
import { type Sql, withTenantMoment } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { readCompleteness, surveyCompleteness } from '../kept/plain-invoices/read-completeness.ts'
import { listMonths, monthsBefore } from '../read/coverage-cells.ts'
import { readInvoiceReviews, toInvoiceKeyText } from '../review/invoices/read-reviewed.ts'
import { selectTogether } from '../sql/select-together.ts'
import type { CloseQuery } from './close-query.ts'
import {
  type ChosenMonth,
  type CloseRow,
  type CloseTable,
  listNext,
  type NextToSign,
  type ProfileRow,
  toChosen,
  toColumns,
  toTable,
} from './close-table.ts'
import { FOUR_EYES } from './four-eyes.ts'
import { type BesidePeriod, readBesidePeriod, readTieOutOf } from './read-close-period.ts'
import {
  FINDINGS_OF_MONTHS,
  type FindingRow,
  MONEY_OF_MONTHS,
  type MoneyRow,
  type MonthSpan,
  type Proofs,
  toMonthFacts,
} from './read-month-facts.ts'
import { DRIFT_OF_MONTHS, LOCKS_OF_MONTHS, SIGNED_OF_MONTHS, type StandingRows, toStandings } from './read-standings.ts'

/** A chosen month in full. */
export type ClosePeriod = ChosenMonth & BesidePeriod & { tieOut: Awaited<ReturnType<typeof readTieOutOf>> }

/** `fourEyes`: who prepared may not approve. */
export type ClosePage = { table: CloseTable; period: ClosePeriod | null; next: NextToSign[]; fourEyes: boolean }

/** Of the months of a span. */
export type Rows = StandingRows & {
  money: MoneyRow[]
  findings: FindingRow[]
  profiles: ProfileRow[]
  organization: { fourEyes: boolean }[]
}

const QUERIES: { [Name in keyof Rows]: string } = {
  money: MONEY_OF_MONTHS,
  findings: FINDINGS_OF_MONTHS,
  signed: SIGNED_OF_MONTHS,
  locks: LOCKS_OF_MONTHS,
  drift: DRIFT_OF_MONTHS,
  profiles: `select p.connection_id as "connectionId", p.id as "profileId", p.name, p.currency
             from profile p where p.organization_id = $1`,
  organization: FOUR_EYES,
}

/** The rows of one month, YYYY-MM. */
export function readCloseMonth(sql: Sql, organizationId: OrganizationId, month: string): Promise<Rows> {
  return selectTogether<Rows>(sql, QUERIES, toSpanValues(organizationId, month, month))
}

/** One month's row of the table, from rows and proofs of one moment; null without invoices. */
export function toCloseMonth(rows: Rows, proofs: Proofs, month: string): CloseRow | null {
  const facts = toMonthFacts(rows, proofs, toMonthSpan(month, month))
  const { rows: shown } = toTable([month], toColumns(rows, facts), facts, toStandings(rows))
  return shown.find(({ cellCount }) => cellCount > 0) ?? null
}

function toMonthSpan(first: string, last: string): MonthSpan {
  return { from: `${first}-01`, before: `${monthsBefore(last, -1)}-01` }
}

function toSpanValues(organizationId: OrganizationId, first: string, last: string): string[] {
  const { from, before } = toMonthSpan(first, last)
  return [organizationId, from, before]
}

/** As many as a page shows. */
export const CLOSE_MONTHS = 12

/** The last month that is shown: the address's, or this one; another where the chosen one is. */
export function findLastMonth({ until, chosen }: CloseQuery, now: Date): string {
  const last = until ?? now.toISOString().slice(0, 7)
  if (chosen === null) return last
  const isShown = chosen.month <= last && chosen.month > monthsBefore(last, CLOSE_MONTHS)
  return isShown ? last : chosen.month
}

/**
 * As many months up to one, and a chosen one of them in full, all of one moment.
 * @param until YYYY-MM, the last month.
 */
export async function readClosePage(
  organizationId: OrganizationId,
  { until, months, chosen }: { until: string; months: number; chosen: PeriodScope<ConnectionId> | null },
): Promise<ClosePage> {
  const shown = listMonths(monthsBefore(until, months - 1), until)
  const first = shown[0] ?? until
  const span = toMonthSpan(first, until)
  const { proofs, rows, beside } = await withTenantMoment(organizationId, {
    proofs: async (sql) => {
      const proofs = await readProofs(sql, organizationId)
      return { ...proofs, tieOut: chosen && (await readTieOutOf(sql, organizationId, proofs, chosen)) }
    },
    rows: (sql) => selectTogether<Rows>(sql, QUERIES, toSpanValues(organizationId, first, until)),
    beside: async (sql) => chosen && (await readBesidePeriod(sql, organizationId, chosen)),
  })
  const facts = toMonthFacts(rows, proofs, span)
  const standings = toStandings(rows)
  const columns = toColumns(rows, facts)
  const table = toTable(shown.toReversed(), columns, facts, standings)
  const period =
    chosen === null || proofs.tieOut === null || beside === null
      ? null
      : { ...toChosen(chosen, columns, facts, standings), tieOut: proofs.tieOut, ...beside }
  return { table, period, next: listNext(table), fourEyes: rows.organization[0]?.fourEyes ?? true }
}

async function readProofs(sql: Sql, organizationId: OrganizationId): Promise<Proofs> {
  const survey = await surveyCompleteness(sql, organizationId, {})
  const reviews = await readInvoiceReviews(sql, organizationId)
  const doubtful = new Set(survey.proved.map(toInvoiceKeyText))
  const others = [...reviews.values()].filter((review) => !doubtful.has(toInvoiceKeyText(review)))
  // decided, and plainly complete by now: it has fallen, and is counted as plain already
  const fallen = others.length === 0 ? [] : await readCompleteness(sql, organizationId, others)
  return { survey, reviews, fallen }
}
