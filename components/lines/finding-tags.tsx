import { classNames } from '#components/class-names.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import { formatAmount } from '#lib/reconcile/format.ts'

type Findings = Pick<LineRow, 'findingCodes' | 'noteCodes' | 'difference' | 'taxDifference' | 'currency'>

const NOTES: Record<string, string> = {
  credit_sign: 'credit above zero',
  no_id: 'no id',
  no_cost_center: 'no cost center',
  unreadable_field: 'unreadable field',
}

/** Words for a remark; an unknown one is shown by its code. */
export function toNoteLabel(code: string): string {
  return Object.hasOwn(NOTES, code) ? (NOTES[code] as string) : code
}

/** What is wrong with a line, each with its difference; then remarks. */
export function FindingTags({ line }: { line: Findings }) {
  if (line.findingCodes.length === 0 && line.noteCodes.length === 0) return null
  return (
    <span className="flex min-w-0 gap-1">
      {line.findingCodes.map((code) => (
        <Tag key={code} look="text-bad bg-badbg">
          {toFindingText(code, line)}
        </Tag>
      ))}
      {line.noteCodes.map((code) => (
        <Tag key={code} look="text-ink2 bg-hover">
          {toNoteLabel(code)}
        </Tag>
      ))}
    </span>
  )
}

function toFindingText(code: string, line: Findings): string {
  const amount = code === 'tax' ? line.taxDifference : code === 'total' ? line.difference : null
  return amount === null ? code : `${formatAmount(amount, line.currency, { sign: 'always' })} ${code}`
}

function Tag({ look, children }: { look: string; children: string }) {
  return (
    <span
      className={classNames('truncate rounded px-1.5 text-[12px] tabular-nums leading-[18px]', look)}
      title={children}
    >
      {children}
    </span>
  )
}
