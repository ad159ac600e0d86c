'use client'

import { useMemo, useState } from 'react'
import {
  type FilterValues,
  type ListQuery,
  readFilters,
  readListQuery,
  withFilters,
  writeListQuery,
} from '#components/query/list-address.ts'
import type { ListName } from '#components/query/lists.ts'
import { DatePicker } from './date-picker.client.tsx'
import { type FieldName, type Filtered, listChips } from './filter-chips.ts'
import {
  type Choice,
  type ChoiceField,
  type Field,
  type FilterOptions,
  isChoice,
  isSearched,
  listFields,
  toChoices,
  toMenu,
} from './filter-fields.ts'
import { OptionList } from './option-list.client.tsx'
import { useOptionSearch } from './use-option-search.client.tsx'
import { ValuePicker } from './value-picker.client.tsx'

type FilterEditorProps = {
  list: ListName
  search: string
  options: FilterOptions
  /** The filter being edited; null shows the menu of filters. */
  field: FieldName | null
  onField: (field: FieldName) => void
  onBack: (() => void) | undefined
  onChange: (next: Filtered) => void
  onClose: () => void
}

/** The content of a filter's popover, loaded when one first opens. */
export function FilterEditor(props: FilterEditorProps) {
  const { list, search, options, onField, onBack, onClose } = props
  const target = useMemo(() => readListQuery(list, search), [list, search])
  const filters = readFilters(target)
  const field = listFields(list).find(({ key }) => key === props.field?.key) ?? null
  const onChange = (patch: Partial<FilterValues>) => {
    const next = withFilters(target, patch)
    props.onChange({ search: writeListQuery(next), chips: listChips(next, options) })
  }
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
        if (next.editor !== 'switch') return onField({ key: next.key, label: next.label })
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

/** Of one letter nearly every name has one. */
const LEAST_SEARCHED = 2

type FieldPickerProps = {
  target: ListQuery
  options: FilterOptions
  onField: (field: Field) => void
  onChange: (patch: Partial<FilterValues>) => void
}

/** All filters. Text also finds values: "eur" finds Currency EUR, "adl" the vendor Adler. */
function FieldPicker({ target, options, onField, onChange }: FieldPickerProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const fields = toMenu(listFields(target.list))
  const filters = readFilters(target)
  const found = fields
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map((field) => ({ key: field.key, label: field.label, choose: () => onField(field) }))
  const searched = fields.filter(isChoice).filter((field) => isSearched(field, options))
  const asked = useOptionSearch(searched, wanted.length < LEAST_SEARCHED ? null : wanted)
  const values =
    wanted === ''
      ? []
      : fields.filter(isChoice).flatMap((field) =>
          toMatching(field).map((choice) => ({
            key: `${field.key} ${choice.value}`,
            label: choice.label,
            hint: field.label,
            choose: () => onChange({ [field.key]: [...new Set([...(filters[field.key] ?? []), choice.value])] }),
          })),
        )
  function toMatching(field: ChoiceField): Choice[] {
    if (searched.includes(field)) return wanted.length < LEAST_SEARCHED ? [] : (asked.choices[field.key] ?? [])
    return toChoices(field, options)
      .filter((choice) => choice.label.toLowerCase().includes(wanted))
      .slice(0, 6)
  }
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
