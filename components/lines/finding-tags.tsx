import { ShortAmount } from '#components/figures/short-amount.tsx'
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
  // a failed check that the organization's rules only note
  total: 'total off, noted',
  tax: 'tax off, noted',
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
        <FindingTag key={code} code={code} line={line} />
      ))}
      {line.noteCodes.map((code) => (
        <span key={code} className="tag" title={toNoteLabel(code)}>
          {toNoteLabel(code)}
        </span>
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
function FindingTag({ code, line }: { code: string; line: Findings }) {
  const amount = toDifference(code, line)
  const words = line.explainedCodes?.includes(code) ? `${code}, explained` : code
  const whole = amount === null ? '' : `${formatAmount(amount, line.currency, { sign: 'always' })} `
  return (
    <span className={LOOKS[weighFinding(code, line)]} title={whole + words}>
      {amount !== null && (
        <>
          <ShortAmount amount={amount} currency={line.currency} signed />{' '}
        </>
      )}
      {words}
    </span>
  )
}
