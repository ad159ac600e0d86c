import { buttonClass } from '#components/primitives/button.ts'
import { CHOSEN_CONDITIONS, RULE_VERBS, type RuleTerms } from '#lib/reconcile/certify/rule-terms.ts'
import { writeTolerance } from '#lib/reconcile/checks/tolerance.ts'
import { CONDITION_LABELS, VERB_WORDS } from './rule-words.ts'

type RuleFormProps = {
  /** The rule that gets another version; null: another rule. */
  rule: { id: string; version: number; terms: RuleTerms } | null
  mayApprove: boolean
  /** YYYY-MM-DD. */
  today: string
}

/** What a rule asks and does. It is kept as a version that is off. */
export function RuleForm({ rule, mayApprove, today }: RuleFormProps) {
  const terms = rule?.terms
  return (
    <form method="post" action="/api/close/rules" className="rule-form">
      {rule !== null && (
        <>
          <input type="hidden" name="rule" value={rule.id} />
          <input type="hidden" name="version" value={rule.version} />
        </>
      )}
      {rule === null && (
        <label>
          Name
          <input name="name" required maxLength={80} className="field h-8 w-full" autoComplete="off" />
        </label>
      )}
      <label>
        What it does
        <select name="verb" defaultValue={terms?.verb ?? 'accept'} className="field h-8 w-full">
          {RULE_VERBS.filter((verb) => verb !== 'approve' || mayApprove).map((verb) => (
            <option key={verb} value={verb}>
              {VERB_WORDS[verb]}
            </option>
          ))}
        </select>
      </label>
      <fieldset>
        <legend>Only where each line adds up or an accepted way of rounding explains it, and</legend>
        {CHOSEN_CONDITIONS.map((each) => (
          <label key={each} className="rule-check">
            <input type="checkbox" name={each} defaultChecked={terms?.conditions.includes(each) ?? true} />
            {CONDITION_LABELS[each]}
          </label>
        ))}
      </fieldset>
      <label>
        Up to, by currency
        <input
          name="limits"
          defaultValue={terms === undefined ? '' : writeTolerance(terms.limits)}
          placeholder="EUR 500, JPY 50000; empty: no limit"
          className="field h-8 w-full"
          autoComplete="off"
        />
      </label>
      <label>
        Left for people at random, percent
        <input name="share" defaultValue={terms?.share ?? '2'} inputMode="decimal" className="field h-8 w-full" />
      </label>
      <label>
        Months left out, by number
        <input
          name="monthsLeftOut"
          defaultValue={terms?.monthsLeftOut.join(', ')}
          placeholder="3, 6, 9, 12; empty: none"
          className="field h-8 w-full"
        />
      </label>
      <label>
        For invoices issued from
        <input
          type="date"
          name="activeFrom"
          required
          defaultValue={terms?.activeFrom ?? today}
          className="field h-8 w-full"
        />
      </label>
      <button type="submit" className={buttonClass({ look: rule === null ? 'primary' : 'plain' })}>
        {rule === null ? 'Make the rule' : 'Keep as another version'}
      </button>
    </form>
  )
}
