import { Mark } from '#components/primitives/mark.tsx'
import { toNoteLabel } from './finding-tags.tsx'

const SENTENCES: Record<string, string> = {
  credit_sign: 'The invoice is a credit note, yet this line states a total above zero. The total counts as stated.',
  no_id: 'The platform gave this line no id. Ours is made from its content.',
  no_cost_center: 'The trip is not mapped to a cost center.',
  unreadable_field: 'An optional field could not be read. It is kept in the raw payload.',
}

/** Remarks on a line: worth knowing, not wrong. */
export function LineNotes({ codes }: { codes: string[] }) {
  if (codes.length === 0) return null
  return (
    <ul className="mt-2 flex flex-col gap-1 rounded-lg border bg-bg px-3 py-2 text-ink2">
      {codes.map((code) => (
        <li key={code} className="flex items-baseline gap-2">
          <Mark kind="open" />
          {Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : toNoteLabel(code)}
        </li>
      ))}
    </ul>
  )
}
