import { Mark } from '#components/primitives/mark.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { Unknown } from '#components/text/upstream-text.tsx'
import type { ScimEndpointState } from '#lib/connections/scim/scim-discovery.ts'

export type EndpointRow = {
  state: ScimEndpointState
  /** Why it could not be read, in words; null when it could. */
  problemText: string | null
  remarks: string[]
}

/** How each endpoint answered: when, with what outcome, and since when unchanged. */
export function EndpointTable({ rows, now }: { rows: EndpointRow[]; now: number }) {
  return (
    <ScrollBox label="Endpoints" className="shrink-0 overflow-x-auto -outline-offset-2 border-t">
      <table className="w-full border-separate border-spacing-0 text-[13px] md:min-w-[760px]">
        <thead className="max-md:sr-only">
          <tr>
            {['Endpoint', 'Last checked', 'Outcome', 'Answer kept since'].map((name) => (
              <th key={name} scope="col" className="cell-head">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <tr key={row.state.endpoint} className="align-top max-md:block max-md:border-b max-md:px-4 max-md:py-2.5">
              <th scope="row" className={`${CELL} text-left font-medium`}>
                {row.state.endpoint}
              </th>
              <td className={`${CELL} text-ink2`}>
                {row.state.lastCheckedAt === null ? (
                  'never'
                ) : (
                  <>
                    <span className="md:hidden">checked </span>
                    <RelativeTime at={row.state.lastCheckedAt} now={now} />
                  </>
                )}
              </td>
              <td className={`${CELL} md:w-[52%] whitespace-normal`}>
                <Outcome row={row} />
              </td>
              <td className={`${CELL} text-ink2`}>
                <KeptSince state={row.state} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

const CELL = 'cell h-auto py-1.5 max-md:block max-md:border-0 max-md:p-0!'

function Outcome({ row: { state, problemText, remarks } }: { row: EndpointRow }) {
  if (state.lastCheckedAt === null) return <span className="text-ink3">not checked yet</span>
  const { problem } = state
  return (
    <div className="flex items-baseline gap-2">
      <Mark kind={problem !== null ? 'failed' : remarks.length > 0 ? 'partial' : 'good'} />
      <div className="min-w-0">
        {problem === null ? 'read' : 'could not be read'}
        {problem?.httpStatus != null && <span className="text-ink3"> · HTTP {problem.httpStatus}</span>}
        {problemText !== null && <p className="text-ink2">{problemText}</p>}
        {problem?.detail != null && (
          <p className="text-[12px] text-ink3 [overflow-wrap:anywhere]">
            In detail: <bdi dir="auto">{problem.detail}</bdi>
          </p>
        )}
        {problem !== null && state.answers.length > 0 && (
          <p className="text-[12px] text-ink3">Below is the last answer that could be read.</p>
        )}
        {remarks.map((remark) => (
          <p key={remark} className="text-ink2">
            {remark}
          </p>
        ))}
      </div>
    </div>
  )
}

function KeptSince({ state, now }: { state: ScimEndpointState; now: number }) {
  const [latest] = state.answers
  if (latest === undefined) return <Unknown label="none" />
  return (
    <>
      <span className="md:hidden">the same since </span>
      <RelativeTime at={latest.receivedAt} now={now} />
      {latest.number > 1 && <span className="text-ink3"> · {latest.number} kept</span>}
    </>
  )
}
