import { chipClass } from '#components/primitives/chip.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { listUsualPeriods } from '#lib/reconcile/period.ts'
import { describePeriod, type OverviewView, toOverviewAddress } from './overview-view.ts'

type ScopePickerProps = { view: OverviewView; accounts: { id: ConnectionId; name: string }[]; today: Day }

/**
 * Which invoices and lines the tie-out is about: a period of issue, and an account if there are
 * more.
 */
export function ScopePicker({ view, accounts, today }: ScopePickerProps) {
  const { period, connectionId } = view
  const usual = listUsualPeriods(today)
  // one that came with the address stays to be seen, and left
  const periods = period === null || usual.some(({ text }) => text === period.text) ? usual : [...usual, period]
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-5 gap-y-2 px-5 pb-2.5 max-md:px-4 print:hidden">
      <Chips
        label="Period of issue"
        chips={[
          { name: 'All time', href: toOverviewAddress({ ...view, period: null }), isOn: period === null },
          ...periods.map((each) => ({
            name: describePeriod(each),
            href: toOverviewAddress({ ...view, period: each }),
            isOn: each.text === period?.text,
          })),
        ]}
      />
      {accounts.length > 1 && (
        <Chips
          label="Account"
          chips={[
            {
              name: 'All accounts',
              href: toOverviewAddress({ ...view, connectionId: null }),
              isOn: connectionId === null,
            },
            ...accounts.map(({ id, name }) => ({
              name,
              href: toOverviewAddress({ ...view, connectionId: id }),
              isOn: id === connectionId,
            })),
          ]}
        />
      )}
      {period !== null && (
        <p className="text-[12px] text-ink3">
          Invoices and lines issued {formatDay(period.from)} to {formatDay(period.to)}
        </p>
      )}
    </div>
  )
}

type Chip = { name: string; href: string; isOn: boolean }

function Chips({ label, chips }: { label: string; chips: Chip[] }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1.5">
      {chips.map(({ name, href, isOn }) => (
        <ListLink
          key={href}
          href={href}
          aria-current={isOn ? 'true' : undefined}
          className={chipClass({ look: isOn ? 'on' : 'plain' })}
        >
          {name}
        </ListLink>
      ))}
    </nav>
  )
}
