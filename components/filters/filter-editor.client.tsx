'use client'

import { useState } from 'react'
import { type FilterValues, type ListQuery, readFilters } from '#components/query/list-address.ts'
import { DatePicker } from './date-picker.client.tsx'
import { type Field, type FilterOptions, isChoice, listFields, toChoices, toMenu } from './filter-fields.ts'
import { OptionList } from './option-list.client.tsx'
import { ValuePicker } from './value-picker.client.tsx'

type FilterEditorProps = {
  target: ListQuery
  options: FilterOptions
  /** The filter being edited; null shows the menu of filters. */
  field: Field | null
  onField: (field: Field) => void
  onBack: (() => void) | undefined
  onChange: (patch: Partial<FilterValues>) => void
  onClose: () => void
}

/** The content of a filter's popover, loaded when one first opens. */
export function FilterEditor({ target, options, field, onField, onBack, onChange, onClose }: FilterEditorProps) {
  const filters = readFilters(target)
  if (field?.editor === 'days') return <DatePicker filters={filters} onChange={onChange} />
  if (isChoice(field))
    return (
      <ValuePicker
        field={field}
        chosen={filters[field.key] ?? []}
        options={options}
        onChange={(values) => onChange({ [field.key]: values })}
        onBack={onBack}
      />
    )
  return (
    <FieldPicker
      target={target}
      options={options}
      onField={(next) => {
        if (next.editor !== 'switch') return onField(next)
        onChange({ [next.key]: true })
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

/** All filters. Text also finds values: "eur" finds Currency EUR. */
function FieldPicker({ target, options, onField, onChange }: FieldPickerProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const fields = toMenu(listFields(target.list))
  const filters = readFilters(target)
  const found = fields
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map((field) => ({ key: field.key, label: field.label, choose: () => onField(field) }))
  const values =
    wanted === ''
      ? []
      : fields.filter(isChoice).flatMap((field) =>
          toChoices(field, options)
            .filter((choice) => choice.label.toLowerCase().includes(wanted))
            .slice(0, 6)
            .map((choice) => ({
              key: `${field.key} ${choice.value}`,
              label: choice.label,
              hint: field.label,
              choose: () => onChange({ [field.key]: [...new Set([...(filters[field.key] ?? []), choice.value])] }),
            })),
        )
  return (
    <OptionList
      label="Add filter"
      placeholder="Filter by…"
      text={text}
      onText={setText}
      options={[...found, ...values]}
      empty="No matching filter"
    />
  )
}
