import { buttonClass } from '#components/primitives/button.ts'
import type { Certification } from '#lib/ledger/certify/list-certification.ts'
import { RuleForm } from './rule-form.tsx'

/** `firstMonth`: YYYY-MM; `today`: YYYY-MM-DD. */
type RuleActionsProps = { rule: Certification; mayApprove: boolean; today: string; firstMonth: string }

/** What people do with a rule: try its newest version, turn it on or off, and change it. */
export function RuleActions({ rule, mayApprove, today, firstMonth }: RuleActionsProps) {
  const { id, newest, active, trial } = rule
  const isTried = trial !== null && trial.figures !== null
  return (
    <div className="rule-actions">
      <form method="post" action="/api/close/rules/trial">
        <input type="hidden" name="rule" value={id} />
        <input type="hidden" name="version" value={newest.version} />
        <label>
          From <input type="month" name="from" required defaultValue={firstMonth} className="field h-8" />
        </label>
        <label>
          to <input type="month" name="to" required defaultValue={today.slice(0, 7)} className="field h-8" />
        </label>
        <button type="submit" className={buttonClass()}>
          Try on the past
        </button>
      </form>
      {isTried && active?.version !== newest.version && (
        <form method="post" action="/api/close/rules/switch">
          <input type="hidden" name="rule" value={id} />
          <input type="hidden" name="trial" value={trial.number} />
          <button type="submit" className={buttonClass()}>
            Turn on version {newest.version}
          </button>
        </form>
      )}
      {active !== null && (
        <form method="post" action="/api/close/rules/switch">
          <input type="hidden" name="rule" value={id} />
          <button type="submit" className={buttonClass()}>
            Turn off
          </button>
        </form>
      )}
      <details>
        <summary>Change it</summary>
        <RuleForm rule={{ id, version: newest.version, terms: newest.terms }} mayApprove={mayApprove} today={today} />
      </details>
    </div>
  )
}
