import type { Certification } from '#lib/ledger/certify/list-certification.ts'
import { CONDITION_WORDS } from '#lib/reconcile/certify/rule-terms.ts'
import { sumFailed, type TrialFigures } from '#lib/reconcile/certify/trial-figures.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { REFUSED_WORDS } from './rule-words.ts'

/** Each condition that failed, with how many lines. A line may fail by several. */
export function FailedList({ title, failed }: { title: string; failed: TrialFigures['failed'] }) {
  if (failed.length === 0) return null
  return (
    <div className="rule-failed">
      <p>{title}:</p>
      <ul>
        {failed.map(({ condition, lineCount }) => (
          <li key={condition}>
            <span className="tabular-nums">{formatCount(lineCount)}</span>
            <span>because {CONDITION_WORDS[condition]}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What a rule left for people in its last turn of each account, all accounts together. */
export function LeftList({ left }: { left: Certification['left'] }) {
  const refused = new Map<string, number>()
  for (const { code, invoiceCount } of left.flatMap((each) => each.refused))
    refused.set(code, (refused.get(code) ?? 0) + invoiceCount)
  return (
    <>
      <FailedList
        title="In its last turn these lines stayed for people"
        failed={sumFailed(left.map(({ failed }) => failed))}
      />
      {refused.size > 0 && (
        <div className="rule-failed">
          <p>These invoices it has not signed:</p>
          <ul>
            {[...refused].map(([code, count]) => (
              <li key={code}>
                <span className="tabular-nums">{formatCount(count)}</span>
                <span>because {REFUSED_WORDS[code] ?? 'somebody changed it meanwhile'}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
