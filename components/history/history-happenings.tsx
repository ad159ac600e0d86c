import { describeRun } from '#components/sync/describe-run.ts'
import type { Happening } from '#components/talk/activity.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { RecordChange } from '#lib/ledger/model.ts'
import { FieldChanges } from './field-changes.tsx'
import { MoneyEffect } from './money-effect.tsx'

type RecordHistory = { history: RecordChange[]; firstSeenAt: string }

/**
 * What the platform changed on one record, latest first, down to when it was first seen. `now` is
 * the clock in milliseconds when the page was drawn.
 */
export function toHistoryHappenings({ history, firstSeenAt }: RecordHistory, now: number): Happening[] {
  const changes = history.map((change) => ({
    key: `${change.seenAt} ${change.validFrom} ${change.before.amount}`,
    at: change.seenAt,
    node: (
      <details open={change === history[0]}>
        <summary className="flex items-baseline justify-between gap-3 rounded-sm hover:text-ink">
          <span className="min-w-0">
            changed on the platform <RelativeTime at={change.seenAt} now={now} />
          </span>
          <MoneyEffect change={change} />
        </summary>
        <p className="mb-1.5 text-[12px] text-ink3">{describeRun(change)}</p>
        <FieldChanges fields={change.fields} currency={change.after.currency} />
      </details>
    ),
  }))
  const first = (
    <>
      first seen <RelativeTime at={firstSeenAt} now={now} />
    </>
  )
  return [...changes, { key: 'first seen', at: firstSeenAt, node: first }]
}
