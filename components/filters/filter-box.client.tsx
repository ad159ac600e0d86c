'use client'

import { useState } from 'react'
import type { Opened } from '#components/primitives/opener.client.tsx'
import { PopoverBox } from '#components/primitives/popover-box.client.tsx'
import type { ListName } from '#components/query/lists.ts'
import type { FieldName, Filtered } from './filter-chips.ts'
import { FilterEditor } from './filter-editor.client.tsx'
import type { FilterOptions } from './filter-fields.ts'

export type FilterBoxProps = {
  list: ListName
  /** The list's query, as in its address. */
  search: string
  options: FilterOptions
  onChange: (next: Filtered) => void
  /** The filter to edit; null shows the menu of filters. */
  field: FieldName | null
}

/** A searchable menu: choose a filter, then its values, in one place and by keyboard alone. */
export function FilterBox({
  field: fixedField,
  id,
  isOpen,
  onOpenChange: setOpen,
  ...editor
}: FilterBoxProps & Opened) {
  const [field, setField] = useState<FieldName | null>(fixedField)
  const onOpenChange = (next: boolean) => {
    setOpen(next)
    if (next) setField(fixedField)
  }
  return (
    <PopoverBox
      id={id}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      role="dialog"
      label={field === null ? 'Add filter' : field.label}
      width={288}
    >
      <FilterEditor
        {...editor}
        field={field}
        onField={setField}
        onBack={fixedField === null ? () => setField(null) : undefined}
        onClose={() => setOpen(false)}
      />
    </PopoverBox>
  )
}
