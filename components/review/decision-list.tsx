import { MoneyList } from '#components/figures/money.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { plural } from '#components/text/plural.ts'
import type { Decision } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { MOST_STANDING_COUNTED } from '#lib/reconcile/review/standing-limit.ts'
import { DecisionButton, StopDecision } from './decision-button.client.tsx'
import { DecisionProgress } from './decision-progress.client.tsx'
import { KIND_WORDS } from './review-looks.ts'

type DecisionListProps = { decisions: Decision[]; mayDecide: boolean; isFirst: boolean }

/** Decisions, the latest first, each with its step back while any line stands by it. */
export function DecisionList({ decisions, mayDecide, isFirst }: DecisionListProps) {
  const last = decisions.at(-1)
  if (last === undefined)
    return <EmptyState title="Nothing is decided yet">What you accept or dispute in Review is listed here.</EmptyState>
  return (
    <div className="decision-list">
      <table>
        <thead>
          <tr>
            <th scope="col">No.</th>
            <th scope="col">Decision</th>
            <th scope="col">Lines or invoices</th>
            <th scope="col" className="decision-money">
              Money
            </th>
            <th scope="col">By</th>
            <th scope="col">When</th>
            <th scope="col">
              <span className="sr-only">Step back</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {decisions.map((decision) => (
            <DecisionRow key={decision.number} decision={decision} mayDecide={mayDecide} />
          ))}
        </tbody>
      </table>
      <nav aria-label="Other decisions" className="decision-pages">
        {!isFirst && <Link href="/decisions">Latest decisions</Link>}
        {last.number !== '1' && <Link href={`/decisions?before=${last.number}`}>Earlier decisions</Link>}
      </nav>
    </div>
  )
}

function DecisionRow({ decision, mayDecide }: { decision: Decision; mayDecide: boolean }) {
  const { number, kind, reasonWords, note, undoOf, undoneBy, standing, totals, name, at, state } = decision
  const { lineCount, invoiceCount } = decision
  return (
    <tr>
      <td className="figure">{number}</td>
      <td>
        {kind === 'undo' ? `took back decision ${undoOf}` : KIND_WORDS[kind].done}
        {reasonWords && (
          <>
            : <bdi>{reasonWords}</bdi>
          </>
        )}
        {undoneBy && <small>taken back by decision {undoneBy}</small>}
        {note && (
          <p className="decision-more">
            <bdi>{note}</bdi>
          </p>
        )}
        {state === 'applying' && (
          <p className="decision-more">
            <DecisionProgress number={number} /> {mayDecide && <StopDecision number={number} />}
          </p>
        )}
        {state === 'stopped' && <small>stopped</small>}
      </td>
      <td className="figure decision-lines">
        {invoiceCount > 0 ? plural(invoiceCount, 'invoice') : plural(lineCount, 'line')}
        <PickedFrom decision={decision} />
        {standing > 0 && (
          <small>
            <Link href={toAddress(invoiceCount > 0 ? '/invoices' : '/lines', `decision=${number}`)}>
              {standing > MOST_STANDING_COUNTED
                ? `over ${plural(MOST_STANDING_COUNTED, 'stands', 'stand')}`
                : plural(standing, 'stands', 'stand')}
            </Link>
          </small>
        )}
      </td>
      <td className="figure decision-beneath decision-money">
        <MoneyList sums={totals.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))} />
      </td>
      <td className="decision-beneath">
        <bdi>{name}</bdi>
      </td>
      <td className="decision-beneath">
        <LocalMoment at={at} />
      </td>
      <td className="decision-beneath">
        {mayDecide && standing > 0 && kind !== 'undo' && (
          <DecisionButton asked={{ kind: 'undo', decision: number }} label={`Undo decision ${number}`}>
            Undo…
          </DecisionButton>
        )}
      </td>
    </tr>
  )
}

/** Of which list it was made; of earlier decisions only the list is known. */
function PickedFrom({ decision }: { decision: Decision }) {
  const { kind, pick, pickedCount, question, lineCount, invoiceCount } = decision
  if (kind === 'undo' || kind === 'settle') return null
  const [path, all] = invoiceCount > 0 ? ['/invoices', 'all invoices'] : ['/lines', 'all lines']
  const list = <Link href={toAddress(path, question)}>{question === '' ? all : 'a list'}</Link>
  if (pick === 'only')
    return (
      <small>
        {pickedCount === (invoiceCount || lineCount) ? 'picked from ' : `${formatCount(pickedCount ?? 0)} picked from `}
        {list}
      </small>
    )
  if (pick === 'except')
    return (
      <small>
        {list}
        {` but ${formatCount(pickedCount ?? 0)} left out`}
      </small>
    )
  return (
    <small>
      {pick === 'all' ? 'all of ' : 'from '}
      {list}
    </small>
  )
}
