'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, startTransition, useEffect, useOptimistic, useRef } from 'react'
import { chipClass } from '../primitives/chip.ts'
import { isTyping } from '../query/is-typing.ts'
import { type FilterValues, type ListQuery, readFilters, toListAddress, withFilters } from '../query/list-address.ts'
import { useNavigate } from '../query/navigate.client.tsx'
import { FilterChip } from './filter-chip.client.tsx'
import { CHOICE_FIELDS, type FilterOptions, toValueLabel } from './filter-fields.ts'
import { FilterPopover } from './filter-popover.client.tsx'
import { describeDays } from './filter-scope.ts'
import { SearchBox } from './search-box.client.tsx'

type FilterBarProps = {
  target: ListQuery
  options: FilterOptions
  searchHint: string
  /** What stands before the filters: the groups' keys. */
  before?: ReactNode
}

/** The filters of a list as chips. They answer at once; the address and the rows follow. */
export function FilterBar({ target: settled, options, searchHint, before }: FilterBarProps) {
  const [target, setTarget] = useOptimistic(settled)
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
  const choices = CHOICE_FIELDS.filter(({ key }) => (filters[key]?.length ?? 0) > 0)
  const canClear = choices.length + (days === null ? 0 : 1) + (filters.findingsOnly ? 1 : 0) > 1

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
            <FilterPopover target={target} options={options} onChange={change} field="dates">
              {button}
            </FilterPopover>
          )}
        />
      )}
      {choices.map(({ key, label }) => {
        const labels = (filters[key] ?? []).map((value) => toValueLabel(key, value, options))
        return (
          <FilterChip
            key={key}
            label={label}
            value={labels.length > 2 ? `${labels[0]} +${labels.length - 1}` : labels.join(', ')}
            valueText={labels.join(', ')}
            onRemove={() => change({ [key]: [] })}
            wrap={(button) => (
              <FilterPopover target={target} options={options} onChange={change} field={key}>
                {button}
              </FilterPopover>
            )}
          />
        )
      })}
      {filters.findingsOnly && (
        <FilterChip label="Findings only" value={null} valueText="" onRemove={() => change({ findingsOnly: false })} />
      )}
      <FilterPopover target={target} options={options} onChange={change} field={null}>
        <button type="button" ref={addButton} className={chipClass({ look: 'add' })} title="Add filter ( f )">
          <Plus size={12} strokeWidth={2.25} aria-hidden className="mr-1" />
          Add filter
        </button>
      </FilterPopover>
      {canClear && (
        <button
          type="button"
          onClick={() => change(NO_FILTERS)}
          className="h-6 rounded-full px-2 text-[12.5px] text-ink2 hover:bg-hover hover:text-ink"
        >
          Clear filters
        </button>
      )}
      <SearchBox hint={searchHint} text={filters.text ?? ''} onSearch={(text) => change({ text }, 'replace')} />
    </div>
  )
}

const NO_FILTERS: Partial<FilterValues> = {
  ...Object.fromEntries(CHOICE_FIELDS.map(({ key }) => [key, []])),
  from: null,
  to: null,
  findingsOnly: false,
}
