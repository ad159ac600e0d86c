import { plural } from '#components/text/plural.ts'
import type { RecordChange } from '#lib/ledger/model.ts'
import { toHistoryHappenings } from './history-happenings.tsx'

type RecordHistoryProps = {
  history: RecordChange[]
  firstSeenAt: string
  /** The clock in milliseconds when the page was drawn. */
  now: number
}

/** What the platform changed on a page’s record, latest first, down to when it was first seen. */
export function RecordHistory({ now, ...record }: RecordHistoryProps) {
  const { history } = record
  return (
    <section aria-label="History" className="mt-4">
      <h2 className="mb-1.5 font-medium text-[12px] text-ink3">
        History
        {history.length > 0 && `: ${plural(history.length, 'change')} on the platform`}
      </h2>
      <ol className="flex flex-col gap-2 border-l border-line2 pl-3 text-[13px]">
        {toHistoryHappenings(record, now).map(({ key, node }) => (
          <li key={key}>{node}</li>
        ))}
      </ol>
    </section>
  )
}
