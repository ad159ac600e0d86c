import { type ListQuery, writeListQuery } from '#components/query/list-address.ts'
import { LISTS, type ListName } from '#components/query/lists.ts'
import { plural } from '#components/text/plural.ts'
import { listUnread } from '#lib/ledger/query/list-query.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import { FilterBar, type FilterBarProps } from './filter-bar.client.tsx'
import { listChips } from './filter-chips.ts'

type ListFiltersProps = Omit<FilterBarProps, 'list' | 'search' | 'chips' | 'textName'> & {
  target: ListQuery
  searchParams: RawSearchParams
}

/** Any text: only the name that it is written under is wanted. */
const SOME_TEXT = 'text'

/**
 * A list's filters, and which parts of the page's address are none of them: a mistyped link shows
 * more than its sender saw.
 */
export function ListFilters({ target, searchParams, ...bar }: ListFiltersProps) {
  const { list } = target
  const [[textName = ''] = []] = LISTS[list].query.parameters.text.write(SOME_TEXT)
  return (
    <>
      <FilterBar
        {...bar}
        list={list}
        search={writeListQuery(target)}
        chips={listChips(target, bar.options)}
        textName={textName}
      />
      <UnreadFilters list={list} searchParams={searchParams} />
    </>
  )
}

function UnreadFilters({ list, searchParams }: { list: ListName; searchParams: RawSearchParams }) {
  const unread = listUnread(LISTS[list].query.parameters, searchParams)
  if (unread.length === 0) return null
  return (
    <p role="status" className="mx-5 mb-2.5 rounded bg-warnbg px-2.5 py-1 text-[13px] text-warn max-md:mx-4">
      {plural(unread.length, 'filter')} of this link {unread.length === 1 ? 'was' : 'were'} not understood and{' '}
      {unread.length === 1 ? 'is' : 'are'} left out:{' '}
      <bdi className="[overflow-wrap:anywhere]">{unread.slice(0, 3).join(', ')}</bdi>
      {unread.length > 3 && ' and more'}
    </p>
  )
}
