import { ChevronLeft, ChevronRight } from '#components/primitives/icons.tsx'
import { Link } from '#components/query/link.client.tsx'
import type { Day } from '#lib/reconcile/day.ts'
import { listUsualPeriods, type Period, periodAfter, periodBefore } from '#lib/reconcile/period.ts'
import { PeriodMenu } from './period-menu.client.tsx'
import { describePeriod } from './period-words.ts'

type PeriodPickerProps = {
  label: string
  period: Period | null
  /** Days that are chosen and are no period, in words. */
  otherDays: string | null
  /** The same page for another period; null is all time. */
  toHref: (period: Period | null) => string
  today: Day
  fiscalMonth: number
}

const NAMES = ['This month', 'Last month', 'This quarter', 'Last quarter', 'This year', 'Last year', 'This', 'Last']

/** The one choice of a period, the same on every page. */
export function PeriodPicker({ label, period, otherDays, toHref, today, fiscalMonth }: PeriodPickerProps) {
  const chosen = period === null ? (otherDays ?? 'All time') : describePeriod(period)
  const items = listUsualPeriods(today, fiscalMonth).map((each, at) => ({
    label: `${NAMES[at]} · ${describePeriod(each)}`,
    href: toHref(each),
  }))
  return (
    <nav aria-label={label} className="flex items-center gap-0.5">
      {period !== null && (
        <Step period={periodBefore(period)} toHref={toHref}>
          <ChevronLeft size={16} />
        </Step>
      )}
      <PeriodMenu
        label={label}
        chosen={chosen}
        items={[...items, { label: 'All time', href: toHref(null), isApart: true }]}
      />
      {period !== null && period.to < today && (
        <Step period={periodAfter(period)} toHref={toHref}>
          <ChevronRight size={16} />
        </Step>
      )}
    </nav>
  )
}

type StepProps = { period: Period; toHref: PeriodPickerProps['toHref']; children: React.ReactNode }

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
