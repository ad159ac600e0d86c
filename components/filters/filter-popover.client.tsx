'use client'

import { Popover } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { type FilterValues, type ListQuery, readFilters } from '../query/list-address.ts'
import { DatePicker } from './date-picker.client.tsx'
import { type FieldKey, type FilterOptions, listFields, toChoices, toField } from './filter-fields.ts'
import { OptionList } from './option-list.client.tsx'
import { ValuePicker } from './value-picker.client.tsx'

type FilterPopoverProps = {
  target: ListQuery
  options: FilterOptions
  onChange: (patch: Partial<FilterValues>) => void
  /** The filter that the popover edits; null = first choose one. */
  field: FieldKey | null
  /** The button that opens it. */
  children: ReactNode
}

/** A menu with search: choose a filter, then its values, in one place and by keyboard alone. */
export function FilterPopover({ target, options, onChange, field: fixedField, children }: FilterPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const [field, setField] = useState<FieldKey | null>(fixedField)
  const filters = readFilters(target)

  const onOpenChange = (next: boolean) => {
    setOpen(next)
    if (next) setField(fixedField)
  }
  const onBack = fixedField === null ? () => setField(null) : undefined

  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={field === null ? 'Add filter' : toField(field).label}
          className="z-40 w-72 overflow-hidden rounded-lg border border-line2 bg-bg shadow-[0_8px_30px_var(--lift)]"
        >
          {field === null ? (
            <FieldPicker
              target={target}
              options={options}
              onField={(next) => {
                if (next !== 'findings') return setField(next)
                onChange({ findingsOnly: true })
                setOpen(false)
              }}
              onChange={(patch) => {
                onChange(patch)
                setOpen(false)
              }}
            />
          ) : field === 'dates' ? (
            <DatePicker filters={filters} onChange={onChange} />
          ) : field === 'findings' ? null : (
            <ValuePicker
              field={field}
              chosen={filters[field] ?? []}
              options={options}
              onChange={(values) => onChange({ [field]: values })}
              onBack={onBack}
            />
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

type FieldPickerProps = Pick<FilterPopoverProps, 'target' | 'options' | 'onChange'> & {
  onField: (field: FieldKey) => void
}

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
