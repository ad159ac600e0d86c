import { ChevronLeft, ChevronRight } from '#components/primitives/icons.tsx'
import { Link } from '#components/query/link.client.tsx'
import { type ListQuery, readFilters, toListAddress, withFilters } from '#components/query/list-address.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { findPeriod, listUsualPeriods, type Period, periodAfter, periodBefore } from '#lib/reconcile/period.ts'
import { PeriodMenu } from './period-menu.client.tsx'
import { describePeriod } from './period-words.ts'

export type PeriodChoice = {
  period: Period | null
  /** Whether other days are chosen, which are no period of issue. */
  isOther: boolean
  /** The same page for another period; null is all time. */
  toHref: (period: Period | null) => string
}

type PeriodPickerProps = PeriodChoice & { today: Day; fiscalMonth: number }

const NAMES = ['This month', 'Last month', 'This quarter', 'Last quarter', 'This year', 'Last year', 'This', 'Last']

/** The one choice of a period, by day of issue, the same on every page that has one. */
export function PeriodPicker({ period, isOther, toHref, today, fiscalMonth }: PeriodPickerProps) {
  const chosen = period === null ? (isOther ? 'Other days' : 'All time') : describePeriod(period)
  const items = listUsualPeriods(today, fiscalMonth).map((each, at) => ({
    label: `${NAMES[at]} · ${describePeriod(each)}`,
    href: toHref(each),
  }))
  return (
    <nav aria-label="Period of issue" className="flex items-center gap-0.5">
      {period !== null && (
        <Step period={periodBefore(period)} toHref={toHref}>
          <ChevronLeft size={16} />
        </Step>
      )}
      <PeriodMenu chosen={chosen} items={[...items, { label: 'All time', href: toHref(null), isApart: true }]} />
      {period !== null && period.to < today && (
        <Step period={periodAfter(period)} toHref={toHref}>
          <ChevronRight size={16} />
        </Step>
      )}
    </nav>
  )
}

type StepProps = { period: Period; toHref: PeriodChoice['toHref']; children: React.ReactNode }

function Step({ period, toHref, children }: StepProps) {
  return (
    <Link
      href={toHref(period)}
      aria-label={describePeriod(period)}
      title={describePeriod(period)}
      className="grid size-7 place-items-center rounded-md text-ink2 hover:bg-hover hover:text-ink"
    >
      {children}
    </Link>
  )
}

/** The period that a list's filters say, and the same list for another one. */
export function toPeriodChoice(target: ListQuery): PeriodChoice {
  const { from = null, to = null, dateField } = readFilters(target)
  const isIssued = target.list === 'invoices' || dateField === 'issued'
  const period = isIssued ? findPeriod(from, to) : null
  const isOfDays = target.list !== 'invoices'
  return {
    period,
    isOther: period === null && (from !== null || to !== null),
    toHref: (next) =>
      toListAddress(
        withFilters(target, {
          from: next?.from ?? null,
          to: next?.to ?? null,
          ...(isOfDays && { dateField: next === null ? ('expense' as const) : ('issued' as const) }),
        }),
      ),
  }
}
