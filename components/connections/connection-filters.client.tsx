'use client'

import { SearchBox } from '#components/filters/search-box.client.tsx'
import { chipClass } from '#components/primitives/chip.ts'
import { toAddress } from '#components/query/address.ts'
import { ListLink, useNavigate } from '#components/query/navigate.client.tsx'
import { type ConnectionQuery, type ConnectionShow, writeConnectionQuery } from '#lib/ledger/query/connection-query.ts'
import { formatCount } from '#lib/reconcile/format.ts'

type ConnectionFiltersProps = { query: ConnectionQuery; counts: Record<ConnectionShow, number> }

const NAMES: [ConnectionShow, string][] = [
  ['all', 'All'],
  ['attention', 'Need attention'],
  ['disconnected', 'Disconnected'],
]

/** Filters and search of the connections page. */
export function ConnectionFilters({ query, counts }: ConnectionFiltersProps) {
  const { navigate } = useNavigate()
  const to = (change: Partial<ConnectionQuery>) =>
    toAddress('/connections', writeConnectionQuery({ ...query, page: 1, ...change }))
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-5 pb-2.5 max-md:px-4">
      {NAMES.map(([show, name]) => (
        <ListLink
          key={show}
          href={to({ show })}
          aria-current={query.show === show ? 'true' : undefined}
          className={chipClass({ look: query.show === show ? 'on' : 'plain' })}
        >
          {name} <span className="ml-1 tabular-nums">{formatCount(counts[show])}</span>
        </ListLink>
      ))}
      <SearchBox
        hint="Search accounts and people"
        text={query.text}
        onSearch={(text) => navigate(to({ text }), 'replace')}
      />
    </div>
  )
}
