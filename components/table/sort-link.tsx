import { classNames } from '#components/class-names.ts'
import { ArrowDown, ArrowUp } from '#components/primitives/icons.tsx'
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

/** A column name that sorts by it; a second click reverses the order. */
export function SortLink<Key extends string>(props: SortLinkProps<Key>) {
  const { sortKey, sort, toAddress, sortBy, align, children } = props
  const isOn = sort.key === sortKey
  const next = { key: sortKey, descending: isOn ? !sort.descending : startsDescending(sortKey, align) }
  const Arrow = sort.descending ? ArrowDown : ArrowUp
  return (
    <a
      href={toAddress(next)}
      onClick={(event) => {
        if (isForBrowser(event)) return
        event.preventDefault()
        sortBy(next)
      }}
      className={classNames('sort-link', isOn && 'text-ink', align === 'end' && 'flex-row-reverse')}
    >
      {children}
      {isOn && <Arrow size={12} />}
    </a>
  )
}
