import { buttonClass } from '#components/primitives/button.ts'
import { plural } from '#components/text/plural.ts'
import { Unknown } from '#components/text/upstream-text.tsx'
import type { HabitDecision } from '#lib/ledger/rules/change-rules.ts'
import type { IssuerHabit } from '#lib/ledger/rules/list-rules.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import type { Convention } from '#lib/reconcile/reason.ts'
import { CONVENTION_WORDS } from '#lib/reconcile/reasons/words.ts'

/** What issuers seem to do, for a person to accept: proposed, accepted and declined habits. */
export function HabitList({ habits, canDecide }: { habits: readonly IssuerHabit[]; canDecide: boolean }) {
  return (
    <section aria-labelledby="habits">
      <div className="px-5 pt-5 pb-2 max-md:px-4">
        <h2 id="habits" className="font-semibold text-[14px]">
          Rounding rules of issuers
        </h2>
        <p className="max-w-[76ch] text-[13px] text-ink2">
          Lines of one profile and mode, at one tax, often differ in the same way. Accept that way, and it explains
          those lines; a line of the issuer that does not follow it stays unexplained, even by a cent.
        </p>
      </div>
      {habits.length === 0 ? (
        <p className="border-t px-5 py-3 text-[13px] text-ink3 max-md:px-4">
          No issuer’s lines differ in the same way often enough: a habit is proposed from three lines on, if nine of ten
          lines that differ follow it.
        </p>
      ) : (
        <ul className="border-t">
          {habits.map((habit) => (
            <HabitRow key={JSON.stringify(toFields(habit))} habit={habit} canDecide={canDecide} />
          ))}
        </ul>
      )}
    </section>
  )
}

function HabitRow({ habit, canDecide }: { habit: IssuerHabit; canDecide: boolean }) {
  const { decision, proposal, failedCount, invoiceCount, lineCount } = habit
  const isAccepted = decision?.decision === 'accepted'
  const convention = isAccepted ? decision.convention : proposal?.convention
  if (convention === undefined) return null
  const fitting = isAccepted ? decision.fitting : (proposal?.fitting ?? 0)
  const isDeclined = decision?.decision === 'declined' && decision.convention === convention
  return (
    <li className="habit-row">
      <div className="min-w-0">
        <span className="font-medium">
          <bdi>{habit.profileName ?? habit.profileId ?? <Unknown />}</bdi>
        </span>
        <span className="block text-[12px] text-ink3 leading-4">
          <bdi>{habit.invoiceMode ?? 'no mode'}</bdi> · <bdi>{habit.taxRegime ?? 'no regime'}</bdi> ·{' '}
          {habit.taxPercentage}%
        </span>
      </div>
      <div className="min-w-0">
        <span>{capitalize(CONVENTION_WORDS[convention])}</span>
        <span className="block text-[12px] text-ink3 leading-4">
          {isAccepted || !proposal || proposal.rivals.length === 0
            ? `shows in the ${habit.code}`
            : `so far the same as ${proposal.rivals.map((rival) => CONVENTION_WORDS[rival]).join(', ')}`}
        </span>
      </div>
      <div className="min-w-0 text-[13px] tabular-nums">
        {formatCount(fitting)} of {plural(failedCount, 'line')} that {failedCount === 1 ? 'differs' : 'differ'}
        <span className="block text-[12px] text-ink3 leading-4">
          {plural(invoiceCount, 'invoice')}, {formatCount(lineCount)} lines in all
        </span>
      </div>
      <div className="text-[12px] text-ink3">
        {decision === null || !(isAccepted || isDeclined) ? (
          'proposed'
        ) : (
          <>
            {decision.decision} by <bdi>{decision.byName}</bdi>, {formatDayOf(decision.at)}
          </>
        )}
      </div>
      <div className="flex gap-1.5">
        {canDecide && isAccepted && (
          <Decide habit={habit} convention={convention} decision="withdrawn" name="Withdraw" />
        )}
        {canDecide && !isAccepted && (
          <Decide habit={habit} convention={convention} decision="accepted" name="Accept" isPrimary={!isDeclined} />
        )}
        {canDecide && !isAccepted && !isDeclined && (
          <Decide habit={habit} convention={convention} decision="declined" name="Decline" />
        )}
      </div>
    </li>
  )
}

type DecideProps = {
  habit: IssuerHabit
  convention: Convention
  decision: HabitDecision
  name: string
  isPrimary?: boolean
}

function Decide({ habit, convention, decision, name, isPrimary = false }: DecideProps) {
  const whose = habit.profileName ?? habit.profileId ?? 'unknown profile'
  return (
    <form method="post" action="/api/checks/habit">
      {Object.entries({ ...toFields(habit), convention, decision }).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <button
        type="submit"
        aria-label={`${name}: ${CONVENTION_WORDS[convention]}, ${whose}`}
        className={buttonClass({ look: isPrimary ? 'primary' : 'plain', size: 'small' })}
      >
        {name}
      </button>
    </form>
  )
}

/** As POST /api/checks/habit reads them: what the lines do not say is left out. */
function toFields({ connectionId, profileId, invoiceMode, taxRegime, taxPercentage, code }: IssuerHabit) {
  return {
    connection: connectionId,
    ...(profileId === null ? {} : { profile: profileId }),
    ...(invoiceMode === null ? {} : { mode: invoiceMode }),
    ...(taxRegime === null ? {} : { regime: taxRegime }),
    rate: taxPercentage,
    code,
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
