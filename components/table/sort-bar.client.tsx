'use client'

import { buttonClass } from '#components/primitives/button.ts'
import { ArrowDown, ArrowUp } from '#components/primitives/icons.tsx'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { startsDescending } from './sort-link.tsx'
import { useSort } from './use-sort.client.tsx'

type SortBarProps<Key extends string> = {
  choices: { key: Key; label: string; align?: 'end' | undefined }[]
  sort: Sort<Key>
  toAddress: (sort: Sort<Key>) => string
}

/** Sorting on a phone, where the column names are hidden: by what, and in which direction. */
export function SortBar<Key extends string>({ choices, sort: settled, toAddress }: SortBarProps<Key>) {
  const { sort, sortBy } = useSort(settled, toAddress)
  const Arrow = sort.descending ? ArrowDown : ArrowUp
  const turn = sort.descending ? 'Sort ascending' : 'Sort descending'
  const onChoose = (key: string) => {
    const choice = choices.find((candidate) => candidate.key === key)
    if (choice) sortBy({ key: choice.key, descending: startsDescending(choice.key, choice.align) })
  }
  return (
    <div className="sort-bar">
      <label>
        <span>Sort by</span>
        {/* 16 px: a smaller field makes a phone zoom in */}
        <select value={sort.key} onChange={(event) => onChoose(event.target.value)}>
          {choices.every(({ key }) => key !== sort.key) && <option value={sort.key}>{toWords(sort.key)}</option>}
          {choices.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <ListLink
        href={toAddress({ key: sort.key, descending: !sort.descending })}
        aria-label={turn}
        title={turn}
        className={buttonClass({ look: 'quiet', size: 'icon' })}
      >
        <Arrow size={16} />
      </ListLink>
    </div>
  )
}

/** For a sort key from a link that no column has. */
function toWords(key: string): string {
  const words = key.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
