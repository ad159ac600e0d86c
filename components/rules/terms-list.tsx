import { MONTH_NAMES } from '#components/text/month-names.ts'
import type { KeptVersion } from '#lib/ledger/certify/list-certification.ts'
import { isOfInvoices } from '#lib/reconcile/certify/rule-terms.ts'
import { writeTolerance } from '#lib/reconcile/checks/tolerance.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { CONDITION_LABELS, VERB_WORDS } from './rule-words.ts'

/** What a version of a rule asks and does, and as whom. */
export function TermsList({ kept: { terms, ownerName } }: { kept: KeptVersion }) {
  const { verb, conditions, limits, monthsLeftOut, activeFrom, share, seed } = terms
  return (
    <dl className="rule-terms">
      <dt>Does</dt>
      <dd>
        {VERB_WORDS[verb]}, as <bdi>{ownerName}</bdi>
      </dd>
      <dt>Where</dt>
      <dd>
        <ul>
          <li>Each line adds up, or an accepted way of rounding explains it</li>
          {conditions.map((each) => (
            <li key={each}>{CONDITION_LABELS[each]}</li>
          ))}
        </ul>
      </dd>
      <dt>Limit</dt>
      <dd>
        {Object.keys(limits).length === 0
          ? 'None'
          : `${writeTolerance(limits)}, for each ${isOfInvoices(terms) ? 'invoice' : 'line'}`}
      </dd>
      <dt>Issued</dt>
      <dd>
        From {formatDay(activeFrom as Day)}
        {monthsLeftOut.length > 0 && `, but not in ${monthsLeftOut.map((month) => MONTH_NAMES[month - 1]).join(', ')}`}
      </dd>
      <dt>For people</dt>
      <dd>
        {share} % at random, by seed <code>{seed}</code>
      </dd>
    </dl>
  )
}
