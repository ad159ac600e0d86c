import { MoneyList } from '#components/figures/money.tsx'
import { Link } from '#components/query/link.client.tsx'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { plural } from '#components/text/plural.ts'
import type { Trial } from '#lib/ledger/certify/list-certification.ts'
import { formatCount, formatMonth } from '#lib/reconcile/format.ts'
import { FailedList } from './left-list.tsx'

/** What a replay came to, in a sentence, with what became of it later and what stayed. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { from, to, figures, isFailed, later, askedAt, askedByName } = trial
  const months = from === to ? formatMonth(from) : `${formatMonth(from)} to ${formatMonth(to)}`
  if (isFailed)
    return <p role="status">It could not be tried on invoices of {months}. Try it again; the log says why.</p>
  if (figures === null)
    return <p role="status">It is being tried on invoices of {months}. Reload the page in a moment.</p>
  return (
    <div className="rule-trial">
      <p>
        <strong>
          Would have accepted {plural(figures.lineCount, 'line')}
          {figures.lineCount > 0 && `; ${formatCount(figures.later.lineCount)} of them changed or were disputed later`}
          {figures.later.money.length > 0 && (
            <>
              , <MoneyList sums={figures.later.money} />
            </>
          )}
          .
        </strong>
      </p>
      <p className="text-ink2">
        Invoices of {months}
        {figures.lineCount > 0 && (
          <>
            : <MoneyList sums={figures.totals} />
            {figures.wholeCount > 0 && `, and every line of ${plural(figures.wholeCount, 'invoice')}`}
          </>
        )}
        . Tried by <bdi>{askedByName}</bdi>, <LocalMoment at={askedAt} />.
      </p>
      {later.length > 0 && (
        <ul aria-label="Changed or disputed later" className="rule-later">
          {later.map(({ connectionId, serialNumber, lineIds }) => (
            <li key={`${connectionId} ${serialNumber}`}>
              <Link href={`/invoices/${connectionId}/${encodeURIComponent(serialNumber)}`} className="underline">
                <bdi>{serialNumber}</bdi>
              </Link>
              , {plural(lineIds.length, 'line')}
            </li>
          ))}
        </ul>
      )}
      <FailedList title={`${plural(figures.left, 'line')} would have stayed for people`} failed={figures.failed} />
    </div>
  )
}
