import { Amount } from '#components/figures/amount.tsx'
import { toAddress, toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ClosePeriod } from '#lib/ledger/close/read-close.ts'
import type { DriftedRecord } from '#lib/ledger/close/read-close-period.ts'
import { DRIFT_WORDS } from '#lib/reconcile/close/close-state.ts'
import { formatAmount, formatMonth } from '#lib/reconcile/format.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { writeMoved } from './close-words.ts'

/** What changed after the month was locked, and of earlier months what is booked in this one. */
export function CloseDrift({ period }: { period: ClosePeriod }) {
  const { drift, bookedHere, cell } = period
  const [newest] = drift.records
  return (
    <>
      {bookedHere.count > 0 && (
        <p className="close-note">
          {plural(bookedHere.count, 'late change')} of earlier months {bookedHere.count === 1 ? 'is' : 'are'} booked
          here: {writeMoved(bookedHere.sums)}
        </p>
      )}
      {newest !== undefined && (
        <section aria-labelledby="close-drift">
          <h3 id="close-drift">
            After sign-off <small>seen {formatDayOf(newest.at)}; the lock holds</small>
          </h3>
          <table className="close-drift">
            <thead>
              <tr>
                <th scope="col">Total</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {drift.records.map((record) => (
                <tr key={record.id}>
                  <th scope="row">
                    <Subject record={record} connectionId={period.scope.connectionId} />
                    <small>
                      {DRIFT_WORDS[record.cause]}; booked in {formatMonth(record.bookedIn)}
                    </small>
                  </th>
                  <td>
                    <Figure amount={record.amountBefore} currency={record.currencyBefore} />
                  </td>
                  <td>
                    <Figure amount={record.amountAfter} currency={record.currencyAfter} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">
                  {drift.count > drift.records.length
                    ? `${plural(drift.count, 'change')}, the newest shown`
                    : plural(drift.count, 'change')}
                </th>
                <td colSpan={2}>
                  {cell.standing.drifted.length === 0
                    ? 'no money'
                    : cell.standing.drifted.map(({ amount, currency }) => (
                        <b key={currency}>
                          {formatAmount(amount, currency, { sign: 'always' })} {currency}{' '}
                        </b>
                      ))}
                </td>
              </tr>
            </tfoot>
          </table>
        </section>
      )}
    </>
  )
}

type SubjectProps = { record: DriftedRecord; connectionId: string }

function Subject({ record: { serialNumber, lineId, description }, connectionId }: SubjectProps) {
  if (serialNumber === null) return <span>Checks and accepted ways of rounding</span>
  const invoice = toInvoiceAddress(connectionId, serialNumber)
  const href =
    lineId === null
      ? invoice
      : toAddress(invoice, new URLSearchParams({ line: `${connectionId}~${lineId}` }).toString())
  return (
    <Link href={href} className="text-accent hover:underline">
      <bdi>{lineId === null ? serialNumber : (description ?? lineId)}</bdi>
    </Link>
  )
}

function Figure({ amount, currency }: { amount: DecimalText | null; currency: string | null }) {
  return amount === null || currency === null ? (
    <span className="text-ink3">–</span>
  ) : (
    <Amount amount={amount} currency={currency} withCode />
  )
}
