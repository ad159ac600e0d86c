import { chipClass } from '#components/primitives/chip.ts'
import { toAddress } from '#components/query/address.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import {
  type ChangeQuery,
  DEFAULT_CHANGE_DAYS,
  DEFAULT_CHANGE_QUERY,
  writeChangeQuery,
} from '#lib/ledger/query/history-query.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { ConnectionPicker } from './connection-picker.client.tsx'

type ChangeFiltersProps = {
  query: ChangeQuery
  connections: { id: string; name: string }[]
  /** The clock in milliseconds when the page was drawn. */
  now: number
}

export function toChangesAddress(query: ChangeQuery): string {
  return toAddress('/changes', writeChangeQuery(query))
}

/** The start date, the account, and whether to show only changed amounts. */
export function ChangeFilters({ query, connections, now }: ChangeFiltersProps) {
  const spans = [1, 7, DEFAULT_CHANGE_DAYS, 90].map((days) => ({
    label: days === 1 ? 'Since yesterday' : `Last ${days} days`,
    since: days === DEFAULT_CHANGE_DAYS ? null : toDay(now - days * 86_400_000),
  }))
  const chips = [
    ...spans.map(({ label, since }) => ({ label, isOn: query.since === since, change: { since } })),
    { label: 'All time', isOn: query.since === FIRST_DAY, change: { since: FIRST_DAY } },
  ]
  const cleared = toChangesAddress({ ...DEFAULT_CHANGE_QUERY, scope: query.scope })
  const isLong = connections.length > MOST_CHIPS
  const choices = connections.map(({ id, name }) => {
    const isOn = query.connections.includes(id)
    const rest = query.connections.filter((each) => each !== id)
    return { id, name, isOn, href: toHref({ ...query, connections: isOn ? rest : [...rest, id] }) }
  })
  return (
    <nav aria-label="Filters" className="flex flex-wrap gap-1.5 px-5 pb-2.5 max-md:px-4 print:hidden">
      {chips.map(({ label, isOn, change }) => (
        <Chip key={label} label={label} isOn={isOn} href={toHref({ ...query, ...change })} />
      ))}
      <span aria-hidden className="mx-1 my-1 w-px bg-line2" />
      <Chip label="Amounts only" isOn={query.moneyOnly} href={toHref({ ...query, moneyOnly: !query.moneyOnly })} />
      {choices.length > 1 &&
        choices
          .filter(({ isOn }) => isOn || !isLong)
          .map(({ id, name, isOn, href }) => <Chip key={id} label={name} isOn={isOn} href={href} />)}
      {isLong && <ConnectionPicker choices={choices} />}
      {toHref(query) !== cleared && (
        <ListLink
          href={cleared}
          className="flex h-6 items-center rounded-full px-2 text-[12.5px] text-ink2 hover:bg-hover hover:text-ink"
        >
          Clear filters
        </ListLink>
      )}
    </nav>
  )
}

/** With more connections than this, a searchable list replaces the chips. */
const MOST_CHIPS = 4
const FIRST_DAY = '2019-01-01' as Day

/** A changed filter starts at the first page. */
function toHref(query: ChangeQuery): string {
  return toChangesAddress({ ...query, page: 1 })
}

function Chip({ label, isOn, href }: { label: string; isOn: boolean; href: string }) {
  return (
    <ListLink
      href={href}
      aria-current={isOn ? 'true' : undefined}
      className={chipClass({ look: isOn ? 'on' : 'plain' })}
    >
      <bdi className="truncate" title={label}>
        {label}
      </bdi>
    </ListLink>
  )
}

function toDay(moment: number): Day {
  return new Date(moment).toISOString().slice(0, 10) as Day
}
