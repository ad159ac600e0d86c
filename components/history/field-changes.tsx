import type { FieldChange } from '#lib/reconcile/record-diff.ts'
import { FieldValueText } from './field-value.tsx'
import { nameField } from './field-words.ts'

/** What changed, field by field: name, before, after. */
export function FieldChanges({ fields, currency }: { fields: FieldChange[]; currency: string }) {
  if (fields.length === 0) return <p className="text-[12px] text-ink3">The same in another notation: no change.</p>
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-y-1.5 text-[12.5px] leading-[18px]">
      {fields.map((field) => (
        <div key={field.path} className="min-w-0">
          <dt className="truncate text-[12px] text-ink3" title={field.path}>
            {nameField(field)}
          </dt>
          <dd className="[overflow-wrap:anywhere]">
            <span className="sr-only">before </span>
            <FieldValueText
              value={field.before}
              unit={field.unit}
              currency={currency}
              className="text-ink2 line-through decoration-ink3/60"
            />
            <span aria-hidden className="px-1.5 text-ink3">
              →
            </span>
            <span className="sr-only">after </span>
            <FieldValueText value={field.after} unit={field.unit} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
