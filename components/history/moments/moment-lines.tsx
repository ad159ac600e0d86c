import { Amount } from '#components/figures/amount.tsx'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { toLineAddress } from '#components/lines/line-address.ts'
import { toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import type { LineThen, MomentLine, MomentList } from '#lib/ledger/model.ts'
import { MOMENT_LINES_PER_PAGE, type MomentQuery } from '#lib/ledger/query/moments/moment-query.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import type { MomentPart } from '#lib/reconcile/moments/moment-bridge.ts'
import { PagesFoot } from '../pages-foot.tsx'
import { BridgeMoment } from './bridge-moment.tsx'
import { toMomentAddress } from './moment-address.ts'
import { describeMove, describeProof, PART_WORDS } from './moment-words.ts'

type MomentLinesProps = {
  list: MomentList
  query: MomentQuery
  profiles: ReadonlyMap<string, string>
  withConnection: boolean
}

/** One page of the lines of a part, each with what it was, what it became, and its effect. */
export function MomentLines({ list, query, profiles, withConnection }: MomentLinesProps) {
  const { part, currency } = query
  if (part === null) return <ChooseAPart isQuiet={list.bridges.every(isQuiet)} />
  const { name, lines } = PART_WORDS[part]
  const title = `${lines}${currency === null ? '' : `, ${currency}`}`
  if (list.lines.length === 0)
    return (
      <EmptyState title={`No such line: ${name}`}>Nothing of this kind happened between the two moments.</EmptyState>
    )
  return (
    <>
      <h2 className="shrink-0 px-5 py-2 font-semibold text-[14px] max-md:px-4">
        {title}
        {list.isByDay && (
          <small className="font-normal text-[12px] text-ink3"> the newest first, as they are many</small>
        )}
      </h2>
      <div className="list-body min-h-0 flex-1 overflow-y-auto max-md:flex-none max-md:overflow-visible">
        <table aria-label={title} className="changes">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">What</th>
              <th scope="col" className="figure">
                <BridgeMoment at={query.from} />
              </th>
              <th scope="col" className="figure">
                <BridgeMoment at={query.to} />
              </th>
              <th scope="col" className="figure">
                Effect
              </th>
            </tr>
          </thead>
          {list.lines.map((line) => (
            <tbody key={`${line.connectionId} ${line.id} ${line.currency}`}>
              <LineOfPart line={line} part={part} profiles={profiles} withConnection={withConnection} />
            </tbody>
          ))}
        </table>
      </div>
      <PagesFoot
        page={query.page}
        pageCount={list.pageCount}
        pageSize={MOMENT_LINES_PER_PAGE}
        rowCount={list.lineCount}
        noun={list.lineCount === 1 ? 'line' : 'lines'}
        toAddress={(page) => toMomentAddress({ ...query, page })}
      />
    </>
  )
}

function isQuiet({ parts }: MomentList['bridges'][number]): boolean {
  return Object.values(parts).every(({ count }) => count === 0)
}

function ChooseAPart({ isQuiet: nothing }: { isQuiet: boolean }) {
  return nothing ? (
    <EmptyState title="Nothing happened in between">What stood at the one moment stood at the other.</EmptyState>
  ) : (
    <EmptyState title="Each figure opens its lines">
      Choose a part of the bridge to see the lines that it is made of, with what they were and what they became.
    </EmptyState>
  )
}

type LineOfPartProps = Omit<MomentLinesProps, 'list' | 'query'> & { line: MomentLine; part: MomentPart }

function LineOfPart({ line, part, profiles, withConnection }: LineOfPartProps) {
  const { connectionId, connectionName, serialNumber, id, before, after, effect, currency } = line
  const words = toWords(line, part, profiles)
  return (
    <tr>
      <th scope="rowgroup">
        <Link href={toInvoiceAddress(connectionId, serialNumber)} className="font-medium hover:underline">
          <bdi>{serialNumber}</bdi>
        </Link>
        {withConnection && connectionName !== null && (
          <p className="truncate text-ink2">
            <bdi>{connectionName}</bdi>
          </p>
        )}
      </th>
      <td>
        <Link href={toLineAddress(connectionId, serialNumber, id)} className="hover:underline">
          <bdi>{line.description || 'Line without a description'}</bdi>
        </Link>{' '}
        <span className="text-[12px] text-ink3">{words}</span>
      </td>
      <td data-name="Before" className="text-ink2">
        <Then then={before} />
      </td>
      <td data-name="After">
        <Then then={after} />
      </td>
      <td data-name="Effect">
        {part === 'proved' ? (
          <span className="text-ink3">no money</span>
        ) : (
          <Amount amount={effect} currency={currency} signed withCode className="font-medium" />
        )}
      </td>
    </tr>
  )
}

/** What a line came to at a moment; a dash where it was not there. */
function Then({ then }: { then: LineThen | null }) {
  if (then === null || then.isGone) return <span className="text-ink3">—</span>
  return <ShortAmount amount={then.totalAmount} currency={then.currency} />
}

function toWords({ before, after }: MomentLine, part: MomentPart, profiles: ReadonlyMap<string, string>): string {
  if (part === 'moved' && before !== null) return describeMove(before, after, profiles)
  if (part === 'proved' && before !== null) return describeProof(before, after)
  if (before !== null && before.currency !== after.currency) return `${before.currency} → ${after.currency}`
  return `expense of ${formatDay(after.expenseDate)}`
}
