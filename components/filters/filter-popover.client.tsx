'use client'

import { lazy, Suspense, useState } from 'react'
import { Popover, type Trigger } from '#components/primitives/popover.client.tsx'
import type { ListName } from '#components/query/lists.ts'
import type { FieldName, Filtered } from './filter-chips.ts'
import type { FilterOptions } from './filter-fields.ts'

/** The editor loads when the popover first opens; hovering or focusing the button starts early. */
const loadEditor = () => import('./filter-editor.client.tsx')
const FilterEditor = lazy(async () => ({ default: (await loadEditor()).FilterEditor }))

type FilterPopoverProps = {
  list: ListName
  /** The list's query, as in its address. */
  search: string
  options: FilterOptions
  onChange: (next: Filtered) => void
  /** The filter to edit; null shows the menu of filters. */
  field: FieldName | null
  children: Trigger
}

/** A searchable menu: choose a filter, then its values, in one place and by keyboard alone. */
export function FilterPopover({ list, search, options, onChange, field: fixedField, children }: FilterPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const [field, setField] = useState<FieldName | null>(fixedField)
  const onOpenChange = (next: boolean) => {
    setOpen(next)
    if (next) setField(fixedField)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only a hint of what is about to be needed
    <span className="contents" onPointerEnter={loadEditor} onFocus={loadEditor}>
      <Popover
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        trigger={children}
        role="dialog"
        label={field === null ? 'Add filter' : field.label}
        width={288}
      >
        <Suspense fallback={<p className="filter-wait">Loading…</p>}>
          <FilterEditor
            list={list}
            search={search}
            options={options}
            field={field}
            onField={setField}
            onBack={fixedField === null ? () => setField(null) : undefined}
            onChange={onChange}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      </Popover>
    </span>
  )
}
