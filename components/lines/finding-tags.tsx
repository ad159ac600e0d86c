import type { MarkKind } from '#components/primitives/mark.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { type Weight, weighDifference } from '#lib/reconcile/reasons/weight.ts'

type Findings = Pick<
  LineRow,
  'findingCodes' | 'explainedCodes' | 'noteCodes' | 'difference' | 'taxDifference' | 'currency'
>

const LOOKS: Record<Weight, string> = {
  unexplained: 'tag is-bad',
  explained: 'tag is-explained',
  notation: 'tag',
}

const NOTES: Record<string, string> = {
  credit_sign: 'credit above zero',
  no_id: 'no id',
  no_cost_center: 'no cost center',
  unreadable_field: 'unreadable field',
}

export const LINE_MARKS: Record<Weight, MarkKind> = { unexplained: 'failed', explained: 'partial', notation: 'open' }

/** Words for a remark; an unknown one is shown by its code. */
export function toNoteLabel(code: string): string {
  return Object.hasOwn(NOTES, code) ? (NOTES[code] as string) : code
}

/** What is wrong with a line, each with its difference; then remarks. */
export function FindingTags({ line }: { line: Findings }) {
  if (line.findingCodes.length === 0 && line.noteCodes.length === 0) return null
  return (
    <span className="tags">
      {line.findingCodes.map((code) => (
        <Tag key={code} look={LOOKS[weighFinding(code, line)]}>
          {toFindingText(code, line)}
        </Tag>
      ))}
      {line.noteCodes.map((code) => (
        <Tag key={code} look="tag">
          {toNoteLabel(code)}
        </Tag>
      ))}
    </span>
  )
}

/** How much one finding of a line matters; one of an unknown kind is unexplained. */
function weighFinding(code: string, line: Findings): Weight {
  const amount = toDifference(code, line)
  const isExplained = line.explainedCodes?.includes(code) ?? false
  return amount === null ? 'unexplained' : weighDifference(amount, line.currency, isExplained)
}

/** The weight of the heaviest of a line's findings; null without any. */
export function weighLine(line: Findings): Weight | null {
  const weights = line.findingCodes.map((code) => weighFinding(code, line))
  return (['unexplained', 'explained', 'notation'] as const).find((weight) => weights.includes(weight)) ?? null
}

function toDifference(code: string, line: Findings): DecimalText | null {
  return code === 'tax' ? line.taxDifference : code === 'total' ? line.difference : null
}

/** `+0.01 tax`, or `+0.01 tax, explained`: the panel says how. */
function toFindingText(code: string, line: Findings): string {
  const amount = toDifference(code, line)
  if (amount === null) return code
  const difference = `${formatAmount(amount, line.currency, { sign: 'always' })} ${code}`
  return line.explainedCodes?.includes(code) ? `${difference}, explained` : difference
}

function Tag({ look, children }: { look: string; children: string }) {
  return (
    <span className={look} title={children}>
      {children}
    </span>
  )
}
