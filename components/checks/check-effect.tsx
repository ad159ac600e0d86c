import { MoneyList } from '#components/figures/money.tsx'
import { plural } from '#components/text/plural.ts'
import type { CheckMove } from '#lib/reconcile/checks/check-effect.ts'
import type { CheckLevel } from '#lib/reconcile/checks/checks.ts'

const NOUNS: Record<CheckLevel, string> = { finding: 'finding', note: 'note', off: 'difference' }

/** `3 findings, EUR 11.00, become notes`: what applying a setting would do. */
export function CheckEffect({ moves }: { moves: readonly CheckMove[] }) {
  if (moves.length === 0) return <>Nothing that is stored changes.</>
  return moves.map(({ from, to, count, sums }) => (
    <span key={`${from} ${to}`} className="block">
      {from === 'off' ? `${plural(count, NOUNS.off)} not shown so far` : plural(count, NOUNS[from])}
      {sums.length > 0 && (
        <>
          , <MoneyList sums={sums} />,
        </>
      )}{' '}
      {to === 'off'
        ? count === 1
          ? 'is no longer shown'
          : 'are no longer shown'
        : count === 1
          ? `becomes a ${NOUNS[to]}`
          : `become ${NOUNS[to]}s`}
    </span>
  ))
}
