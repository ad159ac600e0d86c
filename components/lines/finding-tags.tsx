import { ShortAmount } from '#components/figures/short-amount.tsx'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { differenceOf, type State, stateOfFinding } from '#lib/reconcile/verdict.ts'

type Findings = Pick<
  LineRow,
  'findingCodes' | 'explainedCodes' | 'reasonCodes' | 'noteCodes' | 'difference' | 'taxDifference' | 'currency'
>

const NOTES: Record<string, string> = {
  credit_sign: 'credit above zero',
  no_id: 'no id',
  no_cost_center: 'no cost center',
  unreadable_field: 'unreadable field',
  // a failed check that the organization's rules only note
  total: 'total off, noted',
  tax: 'tax off, noted',
}

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

/** The difference is what the figure says; the state says what it comes to. */
function toFindingWords(code: string, state: State, line: Findings): string {
  if (state === 'explained') return `${code}, explained`
  if (state !== 'note') return code
  return line.reasonCodes?.includes('credit_sign') ? `${code}, positive prices, no effect` : `${code}, no effect`
}

/** `+0.01 tax`, or `+0.01 tax, explained`: the panel says how. */
function FindingTag({ code, line }: { code: string; line: Findings }) {
  const amount = differenceOf(code, line)
  const state = stateOfFinding(code, line)
  const words = toFindingWords(code, state, line)
  const whole = amount === null ? '' : `${formatAmount(amount, line.currency, { sign: 'always' })} `
  return (
    <span className={STATE_LOOKS[state].tag} title={whole + words}>
      {amount !== null && (
        <>
          <ShortAmount amount={amount} currency={line.currency} signed />{' '}
        </>
      )}
      {words}
    </span>
  )
}
