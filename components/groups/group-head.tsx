import { classNames } from '#components/class-names.ts'
import { GRID } from '#components/primitives/grid-roles.ts'
import { SortLink, toAriaSort } from '#components/table/sort-link.tsx'
import { useSort } from '#components/table/use-sort.client.tsx'
import type { GroupSortKey } from '#lib/ledger/query/group-query.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { keyLabel } from './group-labels.ts'

type GroupHeadProps = {
  by: GroupKey[]
  sort: Sort<GroupSortKey>
  currencies: string[]
  toAddress: (sort: Sort<GroupSortKey>) => string
}

/** The only currency's total needs no name: a list of one currency keeps its order in another. */
function toTotalKey(currency: string, currencies: string[]): GroupSortKey {
  return currencies.length === 1 ? 'total' : `total_${currency}`
}

/** The sort keys of groups, with their column names. */
export function listGroupSorts(by: GroupKey[], currencies: string[]) {
  return [
    { key: 'key' as const, label: by.map((key) => keyLabel(key)).join(' › ') },
    { key: 'lines' as const, label: 'Lines', align: 'end' as const },
    ...currencies.map((currency) => ({
      key: toTotalKey(currency, currencies),
      label: currency,
      align: 'end' as const,
    })),
    { key: 'findings' as const, label: 'Findings', align: 'end' as const },
  ]
}

/** The groups' columns, one per currency. Each sorts by itself: several have no common sum. */
export function GroupHead({ by, sort: settled, currencies, toAddress }: GroupHeadProps) {
  const { sort, sortBy } = useSort(settled, toAddress)
  const link = (key: GroupSortKey, text: string, align?: 'end') => (
    <SortLink sortKey={key} sort={sort} toAddress={toAddress} sortBy={sortBy} align={align}>
      {text}
    </SortLink>
  )
  const th = (key: GroupSortKey | undefined, className: string) => ({
    ...GRID.head,
    'aria-sort': toAriaSort(sort, key),
    className: classNames('cell-head', className),
  })
  return (
    <thead className="max-md:sr-only">
      <tr {...GRID.row}>
        <th {...th('key', 'w-[42%] min-w-56')}>{link('key', by.map((key) => keyLabel(key)).join(' › '))}</th>
        <th {...th('lines', 'text-right')}>{link('lines', 'Lines', 'end')}</th>
        {currencies.map((currency) => {
          const key = toTotalKey(currency, currencies)
          return (
            <th key={currency} {...th(key, 'text-right')}>
              {link(key, currency, 'end')}
            </th>
          )
        })}
        <th {...th('findings', 'text-right')}>{link('findings', 'Findings', 'end')}</th>
      </tr>
    </thead>
  )
}
