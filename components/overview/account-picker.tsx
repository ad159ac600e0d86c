import { chipClass } from '#components/primitives/chip.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import type { Proofs } from '#lib/ledger/read/get-proofs.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { type OverviewView, toOverviewAddress } from './overview-view.ts'

type AccountPickerProps = {
  view: OverviewView
  accounts: { id: ConnectionId; name: string }[]
  profiles: Proofs['profiles']
}

/**
 * Whose invoices and lines the tie-out is about, if there are more accounts or profiles, and of
 * which days.
 */
export function AccountPicker({ view, accounts, profiles }: AccountPickerProps) {
  const { period, connectionId, profileId } = view
  const own = profiles.filter((each) => connectionId === null || each.connectionId === connectionId)
  const names = new Map(own.map(({ id, name }) => [id, name ?? id]))
  if (period === null && accounts.length < 2 && names.size < 2) return null
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-5 gap-y-2 px-5 pb-2.5 max-md:px-4 print:hidden">
      <Chips
        label="Account"
        all="All accounts"
        choices={accounts}
        chosen={connectionId}
        // a profile is of one account
        toHref={(id) => toOverviewAddress({ ...view, connectionId: id, profileId: null })}
      />
      <Chips
        label="Profile"
        all="All profiles"
        choices={[...names].map(([id, name]) => ({ id, name }))}
        chosen={profileId}
        toHref={(id) => toOverviewAddress({ ...view, profileId: id })}
      />
      {period !== null && (
        <p className="text-[12px] text-ink3">
          Invoices and lines issued {formatDay(period.from)} to {formatDay(period.to)}
        </p>
      )}
    </div>
  )
}

type ChipsProps<Id extends string> = {
  label: string
  all: string
  choices: { id: Id; name: string }[]
  chosen: Id | null
  toHref: (id: Id | null) => string
}

/** One of several, or all; nothing to choose from if there is only one. */
function Chips<Id extends string>({ label, all, choices, chosen, toHref }: ChipsProps<Id>) {
  if (choices.length < 2) return null
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1.5">
      {[{ id: null, name: all }, ...choices].map(({ id, name }) => (
        <ListLink
          key={id}
          href={toHref(id)}
          aria-current={id === chosen ? 'true' : undefined}
          className={chipClass({ look: id === chosen ? 'on' : 'plain' })}
        >
          <bdi>{name}</bdi>
        </ListLink>
      ))}
    </nav>
  )
}
