import { chipClass } from '#components/primitives/chip.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { type OverviewView, toOverviewAddress } from './overview-view.ts'

type AccountPickerProps = { view: OverviewView; accounts: { id: ConnectionId; name: string }[] }

/** Whose invoices and lines the tie-out is about, if there are more accounts, and of which days. */
export function AccountPicker({ view, accounts }: AccountPickerProps) {
  const { period, connectionId } = view
  const choices = [
    { id: null, name: 'All accounts' },
    ...accounts.map(({ id, name }) => ({ id: id as ConnectionId | null, name })),
  ]
  if (period === null && accounts.length < 2) return null
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-5 gap-y-2 px-5 pb-2.5 max-md:px-4 print:hidden">
      {accounts.length > 1 && (
        <nav aria-label="Account" className="flex flex-wrap gap-1.5">
          {choices.map(({ id, name }) => (
            <ListLink
              key={id}
              href={toOverviewAddress({ ...view, connectionId: id })}
              aria-current={id === connectionId ? 'true' : undefined}
              className={chipClass({ look: id === connectionId ? 'on' : 'plain' })}
            >
              {name}
            </ListLink>
          ))}
        </nav>
      )}
      {period !== null && (
        <p className="text-[12px] text-ink3">
          Invoices and lines issued {formatDay(period.from)} to {formatDay(period.to)}
        </p>
      )}
    </div>
  )
}
