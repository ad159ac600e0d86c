'use client'

import { useState } from 'react'
import { type FilterValues, type ListQuery, readFilters } from '../query/list-address.ts'
import { DatePicker } from './date-picker.client.tsx'
import { type FieldKey, type FilterOptions, listFields, toChoices } from './filter-fields.ts'
import { OptionList } from './option-list.client.tsx'
import { ValuePicker } from './value-picker.client.tsx'

type FilterEditorProps = {
  target: ListQuery
  options: FilterOptions
  /** The filter that is edited; null = first choose one. */
  field: FieldKey | null
  onField: (field: FieldKey) => void
  onBack: (() => void) | undefined
  onChange: (patch: Partial<FilterValues>) => void
  onClose: () => void
}

/** What a filter's popover holds; loaded with its first opening. */
export function FilterEditor({ target, options, field, onField, onBack, onChange, onClose }: FilterEditorProps) {
  const filters = readFilters(target)
  if (field === 'findings') return null
  if (field === 'dates') return <DatePicker filters={filters} onChange={onChange} />
  if (field !== null)
    return (
      <ValuePicker
        field={field}
        chosen={filters[field] ?? []}
        options={options}
        onChange={(values) => onChange({ [field]: values })}
        onBack={onBack}
      />
    )
  return (
    <FieldPicker
      target={target}
      options={options}
      onField={(next) => {
        if (next !== 'findings') return onField(next)
        onChange({ findingsOnly: true })
        onClose()
      }}
      onChange={(patch) => {
        onChange(patch)
        onClose()
      }}
    />
  )
}

type FieldPickerProps = Pick<FilterEditorProps, 'target' | 'options' | 'onField' | 'onChange'>

/** All filters; a text finds values as well ("eur" finds Currency EUR). */
function FieldPicker({ target, options, onField, onChange }: FieldPickerProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const fields = listFields(target.list)
  const filters = readFilters(target)
  const found = fields
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ key, label }) => ({ key, label, choose: () => onField(key) }))
  const values =
    wanted === ''
      ? []
      : fields.flatMap(({ key, label }) =>
          toChoices(key, options)
            .filter((choice) => choice.label.toLowerCase().includes(wanted))
            .slice(0, 6)
            .map((choice) => ({
              key: `${key} ${choice.value}`,
              label: choice.label,
              hint: label,
              choose: () =>
                onChange({
                  [key]: [...new Set([...((filters[key as keyof FilterValues] as string[]) ?? []), choice.value])],
                }),
            })),
        )
  return (
    <OptionList
      label="Add filter"
      placeholder="Filter by…"
      text={text}
      onText={setText}
      options={[...found, ...values]}
      empty="No filter like this"
    />
  )
}
