import { memo, type ReactNode } from 'react'
import { isForBrowser } from '#components/query/navigate.client.tsx'
import type { Sort } from '#lib/ledger/query/search-params.ts'

export function toAriaSort<Key extends string>(
  sort: Sort<Key>,
  key: Key | undefined,
): 'ascending' | 'descending' | undefined {
  if (sort.key !== key) return undefined
  return sort.descending ? 'descending' : 'ascending'
}

type SortLinkProps<Key extends string> = {
  sortKey: Key
  sort: Sort<Key>
  toAddress: (sort: Sort<Key>) => string
  sortBy: (sort: Sort<Key>) => void
  align?: 'end' | undefined
  children: string
}

/** Figures, differences and dates start with the largest. */
export function startsDescending(sortKey: string, align: 'end' | undefined): boolean {
  return align === 'end' || /date|difference/.test(sortKey)
}

/**
 * A column name that sorts by it; a second click reverses the order. The arrow is the style
 * sheet's, by the `aria-sort` of the column.
 */
export function SortLink<Key extends string>({ sort, ...rest }: SortLinkProps<Key>) {
  return <DrawnLink {...rest} descending={sort.key === rest.sortKey ? sort.descending : undefined} />
}

/** `descending` is undefined in another order. */
type DrawnLinkProps<Key extends string> = Omit<SortLinkProps<Key>, 'sort'> & { descending: boolean | undefined }

/** Drawn again only when its own direction changes: a new order draws two of all names. */
const DrawnLink = memo(function DrawnLink<Key extends string>(props: DrawnLinkProps<Key>) {
  const { sortKey, descending, toAddress, sortBy, align, children } = props
  const next = {
    key: sortKey,
    descending: descending === undefined ? startsDescending(sortKey, align) : !descending,
  }
  return (
    <a
      href={toAddress(next)}
      onClick={(event) => {
        if (isForBrowser(event)) return
        event.preventDefault()
        sortBy(next)
      }}
      className="sort-link"
    >
      {children}
    </a>
  )
}) as <Key extends string>(props: DrawnLinkProps<Key>) => ReactNode
