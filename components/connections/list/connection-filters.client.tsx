'use client'

import { SearchBox } from '#components/filters/search-box.client.tsx'
import { chipClass } from '#components/primitives/chip.ts'
import { toAddress } from '#components/query/address.ts'
import { ListLink, useNavigate } from '#components/query/navigate.client.tsx'
import { withPlace } from '#lib/ledger/query/list-place.ts'
import { formatCount } from '#lib/reconcile/format.ts'

type ConnectionFiltersProps = {
  choices: { name: string; count: number; href: string; isOn: boolean }[]
  /** The query, as in an address. */
  search: string
  /** The parameter of the search text. */
  textName: string
}

/** Filters and search of the connections page. */
export function ConnectionFilters({ choices, search, textName }: ConnectionFiltersProps) {
  const { navigate } = useNavigate()
  const params = new URLSearchParams(search)
  const text = params.get(textName) ?? ''
  const searchFor = (wanted: string) => {
    params.delete(textName)
    if (wanted !== '') params.set(textName, wanted)
    navigate(toAddress('/connections', withPlace(params.toString(), {})), 'replace')
  }
  return (
    <div className="filter-bar">
      {choices.map(({ name, count, href, isOn }) => (
        <ListLink
          key={name}
          href={href}
          aria-current={isOn ? 'true' : undefined}
          className={chipClass({ look: isOn ? 'on' : 'plain' })}
        >
          {name} <span className="ml-1 tabular-nums">{formatCount(count)}</span>
        </ListLink>
      ))}
      <SearchBox hint="Search accounts and people" text={text} onSearch={searchFor} />
    </div>
  )
}
