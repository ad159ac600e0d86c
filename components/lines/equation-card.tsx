import type { ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { Skeleton } from '#components/primitives/skeleton.tsx'
import { Link } from '#components/query/link.client.tsx'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import type { LineDetail, LineRow } from '#lib/ledger/model.ts'
import { type EquationRow, toEquation } from '#lib/reconcile/equation.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import type { FindingCode } from '#lib/reconcile/line-proof.ts'
import { CONVENTION_WORDS, describeReasons } from '#lib/reconcile/reasons/words.ts'
import { type State, stateOf, stateOfFinding } from '#lib/reconcile/verdict.ts'

/** The line's figures laid out as the proof checks them: the face of the product. */
export function EquationCard({ line }: { line: LineDetail }) {
  const rows = toEquation(line, line)
  return (
    <Proof line={line}>
      <EquationRows rows={rows.filter((row) => row.check === 'total')} state={toCheckState('total', line)} />
      <Reason code="total" line={line} />
      {rows.some((row) => row.check === 'tax') && (
        <div className="mt-2.5 border-t border-dashed pt-2.5">
          <EquationRows rows={rows.filter((row) => row.check === 'tax')} state={toCheckState('tax', line)} />
          <Reason code="tax" line={line} />
        </div>
      )}
    </Proof>
  )
}

/** The same card while only the list's row is here: its figures stand where they will be. */
export function RowEquation({ line }: { line: LineRow }) {
  const { currency, totalAmount, difference } = line
  const shared = { check: 'total', currency: null } as const
  const isOff = /[1-9]/.test(difference)
  const figure = formatAmount(difference, currency, { sign: 'always' })
  return (
    <Proof line={line}>
      {['w-44', 'w-36', 'w-24'].map((width) => (
        <div key={width} className="flex h-6 items-center">
          <Skeleton className={width} />
        </div>
      ))}
      <EquationRows
        state={toCheckState('total', line)}
        rows={[
          {
            ...shared,
            role: 'stated',
            label: 'stated',
            figure: formatAmount(totalAmount, currency),
            currency,
            failed: false,
          },
          { ...shared, role: 'difference', label: 'difference', figure, failed: isOff },
        ]}
      />
    </Proof>
  )
}

function Proof({ line, children }: { line: LineRow; children: ReactNode }) {
  const state = stateOf({ line })
  return (
    <section aria-label="Proof">
      <h3 className="mt-4 mb-1.5 flex items-center gap-1.5 font-medium text-[12px] text-ink3">
        Proof
        {state === 'ties_out' ? (
          <span className="ml-auto">adds up to the last digit</span>
        ) : (
          <span className="ml-auto">
            <VerdictText state={state}>
              {/* what nobody has looked at yet is not called unexplained */}
              {line.explainedCodes !== null && `${STATE_LOOKS[state].word}: `}
              {describeFindings(line.findingCodes)}
            </VerdictText>
          </span>
        )}
      </h3>
      <div className="rounded-lg border bg-bg px-3 py-2.5">{children}</div>
    </section>
  )
}

/** Why one check failed, as far as it is known. */
function Reason({ code, line }: { code: FindingCode; line: LineDetail }) {
  const isNoted = line.noteCodes.includes(code)
  // stored before reasons were looked for: the worker has not come by yet
  if (!(line.findingCodes.includes(code) || isNoted) || line.reasonCodes === null) return null
  return (
    <p className="mt-1.5 text-[12px] text-ink2 [overflow-wrap:anywhere]">
      {isNoted && (
        <>
          Only noted, by <RuleLink>your checks</RuleLink>.{' '}
        </>
      )}
      <Explanation code={code} line={line} />
    </p>
  )
}

function Explanation({ code, line }: { code: FindingCode; line: LineDetail }) {
  const reasons = describeReasons(code, line.reasonCodes ?? [])
  const list = reasons.join(', or ')
  const habit = line.habits[code]
  if (line.explainedCodes?.includes(code))
    return habit === undefined ? (
      `Explained: ${list}.`
    ) : (
      <>
        Explained: {list}, as its issuer is known to do (<RuleLink hash="habits">habits</RuleLink>).
      </>
    )
  if (habit !== undefined)
    return (
      <>
        Unexplained: its issuer’s <RuleLink hash="habits">habit</RuleLink> is “{CONVENTION_WORDS[habit]}”, and this line
        does not follow it.
      </>
    )
  if (reasons.length === 0) return 'Unexplained: no rounding rule produces the stated amount.'
  return (
    <>
      Unexplained: it fits “{list}”, but other ways of rounding give other figures here, so it may be chance. If its
      issuer always does so, accept that as its <RuleLink hash="habits">habit</RuleLink>.
    </>
  )
}

function RuleLink({ hash, children }: { hash?: string; children: ReactNode }) {
  return (
    <Link href={hash === undefined ? '/checks' : `/checks#${hash}`} className="underline underline-offset-2">
      {children}
    </Link>
  )
}

/** A check that fails and is no finding is off or only noted. */
function toCheckState(code: FindingCode, line: LineRow): State {
  return line.findingCodes.includes(code) ? stateOfFinding(code, line) : 'note'
}

function describeFindings(codes: string[]): string {
  if (codes.includes('total') && codes.includes('tax')) return 'total and tax differ'
  if (codes.includes('tax')) return 'tax differs from the stated rate'
  return 'total differs'
}

/** `state`: of the check that the rows lay out. */
function EquationRows({ rows, state }: { rows: EquationRow[]; state: State }) {
  const firstOutcome = rows.findIndex((row) => row.role === 'expected')
  return (
    <table className="w-full border-separate border-spacing-0 font-mono text-[12.5px] leading-6">
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.role} className={row.failed ? STATE_LOOKS[state].tone : undefined}>
            <th
              scope="row"
              className={classNames(
                'text-left align-top font-normal [overflow-wrap:anywhere]',
                row.role === 'units' || row.role === 'tax' ? 'text-ink2' : undefined,
                index === firstOutcome && index > 0 && 'border-line2 border-t',
              )}
            >
              {row.label}
            </th>
            <td
              className={classNames(
                'whitespace-nowrap pl-3 text-right align-bottom',
                index === firstOutcome && index > 0 && 'border-line2 border-t',
              )}
            >
              {row.figure}
              <span className="inline-block w-9 text-right text-ink3">{row.currency}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
