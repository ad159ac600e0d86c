import type { ReactNode } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { Unknown } from '#components/text/upstream-text.tsx'
import { DEFAULT_LINE_QUERY, type LineQuery } from '#lib/ledger/query/line-query.ts'
import type { Trip } from '#lib/ledger/read/get-trip.ts'
import { formatCount, formatDay } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { TRIP_PART_WORDS } from './trip-words.ts'

/** What a trip came to, whose it was, and on which documents it stands. */
export function TripSummary({ trip }: { trip: Trip }) {
  const { cost, travelers, documents } = trip
  const table = { trip, currencies: cost.currencies }
  const parts = cost.rows.map(({ part, vertical, lineCount, amounts }) => ({
    key: `${part} ${vertical}`,
    name: (
      <>
        {TRIP_PART_WORDS[part]}
        {vertical !== null && (
          <>
            {' · '}
            <bdi>{vertical}</bdi>
          </>
        )}
      </>
    ),
    lineCount,
    amounts,
  }))
  return (
    <div className="trip-summary">
      <TripTable {...table} title="What it cost" rows={parts} foot={{ name: 'After refunds', amounts: cost.net }} />
      <TripTable
        {...table}
        title="By traveler"
        note={
          trip.isShared
            ? 'A line of several travelers counts for each of them: together they come to more than the trip.'
            : null
        }
        further={trip.travelerCount - travelers.length}
        rows={travelers.map(({ name, ...sums }) => ({
          key: String(name),
          name: (
            <Link href={toLines(trip, { travelers: [name ?? ''] })} className="hover:underline">
              <bdi className={name === null ? 'text-ink2' : undefined}>{name ?? 'No traveler'}</bdi>
            </Link>
          ),
          ...sums,
        }))}
      />
      <TripTable
        {...table}
        title="Documents"
        further={trip.documentCount - documents.length}
        rows={documents.map(({ connectionId, serialNumber, issuingDate, mode, ...sums }) => ({
          key: `${connectionId} ${serialNumber}`,
          name: (
            <>
              <Link href={toInvoiceAddress(connectionId, serialNumber)} className="hover:underline">
                <bdi>{serialNumber}</bdi>
              </Link>
              <small>
                {issuingDate === null ? <Unknown /> : formatDay(issuingDate)}
                {mode !== null && (
                  <>
                    {' · '}
                    <bdi>{mode}</bdi>
                  </>
                )}
              </small>
            </>
          ),
          ...sums,
        }))}
      />
    </div>
  )
}

type TripTableProps = {
  trip: Trip
  title: string
  currencies: string[]
  rows: { key: string; name: ReactNode; lineCount: number; amounts: Record<string, DecimalText> }[]
  foot?: { name: string; amounts: Record<string, DecimalText> }
  note?: string | null
  /** Rows that are not shown. */
  further?: number
}

function TripTable({ trip, title, currencies, rows, foot, note = null, further = 0 }: TripTableProps) {
  const cells = (amounts: Record<string, DecimalText>) =>
    currencies.map((currency) => {
      const amount = amounts[currency]
      return <td key={currency}>{amount !== undefined && <ShortAmount amount={amount} currency={currency} />}</td>
    })
  return (
    <section>
      <h2>{title}</h2>
      <ScrollBox label={title} className="overflow-x-auto">
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">{title}</span>
              </th>
              <th scope="col">Lines</th>
              {currencies.map((currency) => (
                <th key={currency} scope="col">
                  {currency}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, lineCount, amounts }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{formatCount(lineCount)}</td>
                {cells(amounts)}
              </tr>
            ))}
          </tbody>
          {foot && (
            <tfoot>
              <tr>
                <th scope="row">{foot.name}</th>
                <td>
                  <Link href={toLines(trip, {})} className="hover:underline">
                    {formatCount(trip.lineCount)}
                  </Link>
                </td>
                {cells(foot.amounts)}
              </tr>
            </tfoot>
          )}
        </table>
      </ScrollBox>
      {further > 0 && <p>{formatCount(further)} more are in the file of its lines.</p>}
      {note !== null && <p>{note}</p>}
    </section>
  )
}

function toLines({ id }: Trip, filters: Partial<LineQuery>): string {
  return toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, trips: [id], ...filters } })
}
