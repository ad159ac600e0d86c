'use client'

import { type ReactNode, startTransition, useEffect, useOptimistic, useRef } from 'react'
import { chipClass } from '#components/primitives/chip.ts'
import { Plus } from '#components/primitives/icons.tsx'
import { toAddress } from '#components/query/address.ts'
import { afterPaint } from '#components/query/after-paint.ts'
import { isTyping } from '#components/query/is-typing.ts'
import type { ListName } from '#components/query/lists.ts'
import { useNavigate } from '#components/query/navigate.client.tsx'
import { ALL_TIME } from '#components/scope/scope.ts'
import { withPlace } from '#lib/ledger/query/list-place.ts'
import { FilterChip } from './filter-chip.client.tsx'
import type { Chip, Filtered } from './filter-chips.ts'
import type { FilterOptions } from './filter-fields.ts'
import { FilterPopover } from './filter-popover.client.tsx'
import { HitMarks } from './hit-marks.client.tsx'
import { SearchBox } from './search-box.client.tsx'

export type FilterBarProps = {
  list: ListName
  /** The list's query, as in its address. */
  search: string
  chips: Chip[]
  /** The parameter of the search text. */
  textName: string
  options: FilterOptions
  searchHint: string
  /** Rendered before the filters, such as the grouping keys. */
  before?: ReactNode
}

/** A list's filters as chips. They respond at once; the address and the rows follow. */
export function FilterBar({ list, search, chips, textName, options, searchHint, before }: FilterBarProps) {
  const [filtered, setFiltered] = useOptimistic<Filtered>({ search, chips })
  const { navigate } = useNavigate()
  const addButton = useRef<HTMLButtonElement>(null)

  const change = (next: Filtered, mode: 'push' | 'replace' = 'push') =>
    startTransition(async () => {
      setFiltered(next)
      await afterPaint()
      // an address that says nothing leads to one's own scope; here the last filter was taken away
      navigate(toAddress(`/${list}`, next.search || `period=${ALL_TIME}`), mode)
    })
  /** Other filters mean other pages. */
  const edit = (act: (params: URLSearchParams) => void) => {
    const params = new URLSearchParams(filtered.search)
    act(params)
    return withPlace(params.toString(), {})
  }
  const remove = (gone: Chip[]) =>
    change({
      search: edit((params) => {
        const names = gone.flatMap((chip) => chip.names)
        for (const name of names) params.delete(name)
        if (names.includes('period')) params.set('period', ALL_TIME)
      }),
      chips: filtered.chips.filter((chip) => !gone.includes(chip)),
    })
  const searchFor = (text: string) => {
    const found = edit((params) => {
      params.delete(textName)
      if (text !== '') params.set(textName, text)
    })
    change({ ...filtered, search: found }, 'replace')
  }
  const popover = { list, search: filtered.search, options, onChange: change }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'f' || isTyping(event)) return
      event.preventDefault()
      addButton.current?.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <div className="filter-bar">
      {before}
      {filtered.chips.map((chip) => (
        <FilterChip
          key={chip.label}
          chip={chip}
          onRemove={() => remove([chip])}
          wrap={(button) => (
            <FilterPopover {...popover} field={chip.field}>
              {button}
            </FilterPopover>
          )}
        />
      ))}
      <FilterPopover {...popover} field={null}>
        <button
          type="button"
          ref={addButton}
          data-verb="Add a filter"
          aria-keyshortcuts="f"
          className={chipClass({ look: 'add' })}
          title="Add filter ( f )"
        >
          <Plus size={12} className="mr-1" />
          Add filter
        </button>
      </FilterPopover>
      {filtered.chips.length > 1 && (
        <button type="button" onClick={() => remove(filtered.chips)} className="filter-clear">
          Clear filters
        </button>
      )}
      <SearchBox
        hint={searchHint}
        text={new URLSearchParams(filtered.search).get(textName) ?? ''}
        onSearch={searchFor}
      />
      <HitMarks search={new URLSearchParams(search).get(textName) ?? ''} />
    </div>
  )
}
