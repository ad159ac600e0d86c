import { Mark } from '#components/primitives/mark.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { formatCount } from '#lib/reconcile/format.ts'
import type { DriftRow } from '#lib/sync/model.ts'

const WHAT: Record<DriftRow['kind'], (detail: string) => string> = {
  key: (detail) => `new field (${detail})`,
  type: (detail) => `unexpected type (${detail})`,
  value: (detail) => `new value (${detail})`,
}

/** Where the account's records differ from the known interface, new differences marked. */
export function DriftTable({ rows, now }: { rows: DriftRow[]; now: number }) {
  return (
    <ScrollBox label="Deviations" className="list-body shrink-0 overflow-x-auto -outline-offset-2">
      <table className="w-full border-separate border-spacing-0 text-[13px] tabular-nums md:min-w-[860px]">
        <caption className="sr-only">Deviations from the known interface</caption>
        <thead className="max-md:sr-only">
          <tr>
            {['Path', 'What is different', 'Example, masked', 'Records', 'First seen', 'Last seen'].map((name) => (
              <th key={name} scope="col" className={`cell-head static ${name === 'Records' ? 'text-right' : ''}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={`${row.list} ${row.kind} ${row.path} ${row.detail}`}
              className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:border-b max-md:px-4 max-md:py-2"
            >
              <th scope="row" className={`${CELL} ${WHOLE} max-w-[320px] text-left font-normal`}>
                <span className="text-ink3">{row.list} </span>
                <code className="font-mono text-[12px]" title={row.path}>
                  {row.path}
                </code>
              </th>
              <td className={CELL}>
                <span className="flex items-center gap-1.5">
                  <Mark
                    kind={row.isRecordedBefore ? 'open' : 'partial'}
                    label={row.isRecordedBefore ? 'recorded before' : 'new'}
                  />
                  <bdi className="truncate">{WHAT[row.kind](row.detail)}</bdi>
                </span>
              </td>
              <td className={`${CELL} ${WHOLE} max-w-[280px] max-md:col-span-2`}>
                <code className="font-mono text-[12px] text-ink2" title={row.example}>
                  {row.example}
                </code>
              </td>
              <td className={`${CELL} text-right max-md:text-left`}>
                {formatCount(row.recordCount)}
                <span className="md:sr-only">{row.recordCount === 1 ? ' record' : ' records'}</span>
              </td>
              <td className={`${CELL} max-md:hidden`}>
                <RelativeTime at={row.firstSeenAt} now={now} />
              </td>
              <td className={`${CELL} max-md:text-right max-md:text-ink2`}>
                <RelativeTime at={row.lastSeenAt} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** What tells one deviation from another is the end of a path. */
const WHOLE = 'whitespace-normal! py-1.5 leading-4 [overflow-wrap:anywhere]'
const CELL = 'cell max-md:h-auto max-md:min-w-0 max-md:border-0 max-md:p-0!'
