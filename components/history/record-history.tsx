import { describeRun } from '#components/sync/describe-run.ts'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { RecordChange } from '#lib/ledger/model.ts'
import { FieldChanges } from './field-changes.tsx'
import { MoneyEffect } from './money-effect.tsx'

type RecordHistoryProps = {
  history: RecordChange[]
  firstSeenAt: string
  /** The clock in milliseconds when the page was drawn. */
  now: number
  /** The heading's level: below a panel's title or a page's. */
  level?: 'h2' | 'h3'
}

/** What the platform changed on one record, latest first, down to when it was first seen. */
export function RecordHistory({ history, firstSeenAt, now, level: Heading = 'h3' }: RecordHistoryProps) {
  return (
    <section aria-label="History" className="mt-4">
      <Heading className="mb-1.5 font-medium text-[12px] text-ink3">
        History
        {history.length > 0 && `: ${plural(history.length, 'change')} on the platform`}
      </Heading>
      <ol className="flex flex-col gap-2 border-l border-line2 pl-3 text-[13px]">
        {history.map((change) => (
          <li key={`${change.seenAt} ${change.validFrom} ${change.before.amount}`}>
            <details open={change === history[0]}>
              <summary className="flex items-baseline justify-between gap-3 rounded-sm hover:text-ink">
                <span className="min-w-0">
                  changed <RelativeTime at={change.seenAt} now={now} />
                </span>
                <MoneyEffect change={change} />
              </summary>
              <p className="mb-1.5 text-[12px] text-ink3">{describeRun(change)}</p>
              <FieldChanges fields={change.fields} currency={change.after.currency} />
            </details>
          </li>
        ))}
        <li className="text-ink2">
          first seen <RelativeTime at={firstSeenAt} now={now} />
        </li>
      </ol>
    </section>
  )
}
