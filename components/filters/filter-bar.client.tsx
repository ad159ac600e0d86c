'use client'

import { type ReactNode, startTransition, useEffect, useMemo, useOptimistic, useRef } from 'react'
import { chipClass } from '#components/primitives/chip.ts'
import { Plus } from '#components/primitives/icons.tsx'
import { isTyping } from '#components/query/is-typing.ts'
import {
  type FilterValues,
  type ListQuery,
  listCleared,
  readFilters,
  readListQuery,
  toListAddress,
  withFilters,
} from '#components/query/list-address.ts'
import type { ListName } from '#components/query/lists.ts'
import { useNavigate } from '#components/query/navigate.client.tsx'
import { FilterChip } from './filter-chip.client.tsx'
import { type FilterOptions, isChoice, listFields, toValueLabel } from './filter-fields.ts'
import { FilterPopover } from './filter-popover.client.tsx'
import { describeDays } from './filter-scope.ts'
import { SearchBox } from './search-box.client.tsx'

type FilterBarProps = {
  list: ListName
  /** The list's query, as in its address. */
  search: string
  options: FilterOptions
  searchHint: string
  /** Rendered before the filters, such as the grouping keys. */
  before?: ReactNode
}

/** A list's filters as chips. They respond at once; the address and the rows follow. */
export function FilterBar({ list, search, options, searchHint, before }: FilterBarProps) {
  const settled = useMemo(() => readListQuery(list, search), [list, search])
  const [target, setTarget] = useOptimistic<ListQuery>(settled)
  const { navigate } = useNavigate()
  const addButton = useRef<HTMLButtonElement>(null)
  const filters = readFilters(target)

  const change = (patch: Partial<FilterValues>, mode: 'push' | 'replace' = 'push') => {
    const next = withFilters(target, patch)
    startTransition(() => {
      setTarget(next)
      navigate(toListAddress(next), mode)
    })
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'f' || isTyping(event)) return
      event.preventDefault()
      addButton.current?.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  const days = describeDays(filters.from ?? null, filters.to ?? null)
  const fields = listFields(target.list)
  const choices = fields.filter(isChoice).filter(({ key }) => (filters[key]?.length ?? 0) > 0)
  const switches = fields.filter(({ editor, key }) => editor === 'switch' && filters[key] === true)
  const canClear = choices.length + (days === null ? 0 : 1) + switches.length > 1

  return (
    <div className="flex flex-wrap items-center gap-1.5 px-5 pb-2.5 max-md:px-4 print:hidden">
      {before}
      {days !== null && (
        <FilterChip
          label={target.list === 'invoices' || filters.dateField === 'issued' ? 'Issued' : 'Expense date'}
          value={days}
          valueText={days}
          onRemove={() => change({ from: null, to: null })}
          wrap={(button) => (
            <FilterPopover
              target={target}
              options={options}
              onChange={change}
              field={fields.find(({ editor }) => editor === 'days') ?? null}
            >
              {button}
            </FilterPopover>
          )}
        />
      )}
      {choices.map((field) => {
        const { key, label } = field
        const labels = (filters[key] ?? []).map((value) => toValueLabel(field, value, options))
        return (
          <FilterChip
            key={key}
            label={label}
            value={labels.length > 2 ? `${labels[0]} +${labels.length - 1}` : labels.join(', ')}
            valueText={labels.join(', ')}
            onRemove={() => change({ [key]: [] })}
            wrap={(button) => (
              <FilterPopover target={target} options={options} onChange={change} field={field}>
                {button}
              </FilterPopover>
            )}
          />
        )
      })}
      {switches.map(({ key, label }) => (
        <FilterChip key={key} label={label} value={null} valueText="" onRemove={() => change({ [key]: false })} />
      ))}
      <FilterPopover target={target} options={options} onChange={change} field={null}>
        <button type="button" ref={addButton} className={chipClass({ look: 'add' })} title="Add filter ( f )">
          <Plus size={12} strokeWidth={2.25} className="mr-1" />
          Add filter
        </button>
      </FilterPopover>
      {canClear && (
        <button
          type="button"
          onClick={() => change(listCleared(target.list))}
          className="h-6 rounded-full px-2 text-[12.5px] text-ink2 hover:bg-hover hover:text-ink"
        >
          Clear filters
        </button>
      )}
      <SearchBox hint={searchHint} text={filters.text ?? ''} onSearch={(text) => change({ text }, 'replace')} />
    </div>
  )
}
