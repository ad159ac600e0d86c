import type { FieldChange, FieldValue } from '#lib/reconcile/record-diff.ts'

/** What changed, field by field, as the platform writes it: path, before, after. */
export function FieldChanges({ fields }: { fields: FieldChange[] }) {
  if (fields.length === 0) return <p className="text-[12px] text-ink3">No change in anything shown.</p>
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-y-1.5 text-[12.5px] leading-[18px]">
      {fields.map(({ path, before, after, isSameFigure }) => (
        <div key={path} className="min-w-0">
          <dt className="truncate font-mono text-[12px] text-ink3" title={path}>
            {path}
            {isSameFigure && <span className="font-sans"> · same figure, written differently</span>}
          </dt>
          <dd className="[overflow-wrap:anywhere]">
            <span className="sr-only">before </span>
            <Value value={before} className="text-ink2 line-through decoration-ink3/60" />
            <span aria-hidden className="px-1.5 text-ink3">
              →
            </span>
            <span className="sr-only">after </span>
            <Value value={after} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const LONGEST = 200

/** Absent, null and an empty text are three values here, as on the wire. */
function Value({ value, className = '' }: { value: FieldValue; className?: string }) {
  if (value.kind === 'absent') return <span className="text-ink3">not there</span>
  if (value.kind !== 'text' || value.text === '')
    return (
      <code className={`font-mono text-[12px] ${className}`}>{value.kind === 'text' ? '""' : shorten(value.text)}</code>
    )
  return (
    <bdi dir="auto" className={className} title={value.text.length > LONGEST ? value.text : undefined}>
      {shorten(value.text)}
    </bdi>
  )
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
