import type { ReactNode } from 'react'
import { AlignedAmount, toDecimalRoom } from '#components/figures/aligned-amount.tsx'
import { MoneyList } from '#components/figures/money.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { UpstreamText } from '#components/text/upstream-text.tsx'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { LossFigures, LossSet, LostLine } from '#lib/ledger/apply/loss-set.ts'
import { decimalSign, formatCount } from '#lib/reconcile/format.ts'
import { negateDecimal } from '#lib/reconcile/money.ts'
import { KeepEverything } from './keep-everything.tsx'
import { toLossCounts } from './loss-words.ts'

type LossPreviewProps = {
  connectionId: ConnectionId
  runId: RunId
  figures: LossFigures
  /** What has to be typed to accept; null when the set is small. */
  toType: number | null
  /** Why nothing happened: what was typed, or the set that was seen instead. */
  refused: { typed: string } | { seen: { lines: number; invoices: number } } | null
  canDecide: boolean
  /** Until when it could be taken back, for the eye. */
  until: string
}

/** What accepting a held loss would take out of every total, before it does. */
export function LossPreview(props: LossPreviewProps) {
  const { connectionId, figures, refused } = props
  const { set, steps, largest, shortInvoiceCount } = figures
  const room = toDecimalRoom(steps)
  return (
    <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
      {refused !== null && 'seen' in refused && <ChangedSet seen={refused.seen} set={set} />}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-x-8 gap-y-5 px-5 pt-4 max-lg:grid-cols-1 max-md:px-4">
        <section aria-labelledby="per-currency">
          <Title id="per-currency" name="Per currency" note="all lines of this account that count" />
          <table className="loss-table loss-steps" aria-labelledby="per-currency">
            <thead>
              <tr>
                <th scope="col">Lines</th>
                <th scope="col">In totals now</th>
                <th scope="col">Removed</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {steps.map(({ currency, now, removed, after }) => (
                <tr key={currency}>
                  <th scope="row">
                    <span className="font-medium">{currency}</span>{' '}
                    <small>
                      {formatCount(now.lineCount)} − {formatCount(removed.lineCount)} = {formatCount(after.lineCount)}
                    </small>
                  </th>
                  <td data-name="In totals now">
                    <AlignedAmount amount={now.totalAmount} currency={currency} room={room} />
                  </td>
                  <td data-name="Removed" className="font-medium">
                    <AlignedAmount amount={negateDecimal(removed.totalAmount)} currency={currency} room={room} />
                  </td>
                  <td data-name="After">
                    <AlignedAmount amount={after.totalAmount} currency={currency} room={room} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[13px]">
            <dt className="text-right font-medium tabular-nums">{formatCount(set.invoiceCount)}</dt>
            <dd className="text-ink2">
              {set.invoiceCount === 1 ? 'invoice is' : 'invoices are'} gone from the platform, and leave the invoices’
              totals, too.
            </dd>
            <dt className="text-right font-medium tabular-nums">{formatCount(shortInvoiceCount)}</dt>
            <dd className="text-ink2">
              {shortInvoiceCount === 1
                ? 'invoice stays and loses lines: its total then differs from them by what was removed.'
                : 'invoices stay and lose lines: their totals then differ from them by what was removed.'}
            </dd>
          </dl>
        </section>
        <section aria-labelledby="largest">
          <Title
            id="largest"
            name={set.lineCount > largest.length ? `Largest ${plural(largest.length, 'line')}` : 'Every line'}
            note="by their share of the loss in their currency"
          />
          <LargestLines connectionId={connectionId} lines={largest} />
        </section>
      </div>
      <Decision {...props} />
    </div>
  )
}

function ChangedSet({ seen, set }: { seen: { lines: number; invoices: number }; set: LossSet }) {
  const isSame = seen.lines === set.lineCount && seen.invoices === set.invoiceCount
  return (
    <Banner tone="warn">
      <strong className="font-medium">Nothing was accepted: this has changed since you looked.</strong>{' '}
      {isSame
        ? 'It is as many records as before, but other ones or with other amounts.'
        : `It was ${toLossCounts(seen.lines, seen.invoices)}, and is ${toLossCounts(set.lineCount, set.invoiceCount)} now.`}{' '}
      Decide on the figures below.
    </Banner>
  )
}

function LargestLines({ connectionId, lines }: { connectionId: ConnectionId; lines: readonly LostLine[] }) {
  const room = toDecimalRoom(lines)
  return (
    <table className="loss-table loss-lines" aria-labelledby="largest">
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col" className="col-invoice">
            Invoice
          </th>
          <th scope="col" className="col-total">
            Total
          </th>
          <th scope="col" className="col-share">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, description, invoiceSerialNumber, currency, totalAmount, share }) => (
          <tr key={id}>
            <td>
              <UpstreamText text={description} unknownLabel="no description" />
            </td>
            <td className="col-invoice">
              <Link href={toInvoiceAddress(connectionId, invoiceSerialNumber)} className="text-accent hover:underline">
                <bdi>{invoiceSerialNumber}</bdi>
              </Link>
            </td>
            <td className="col-total">
              <AlignedAmount amount={totalAmount} currency={currency} room={room} />{' '}
              <span className="text-[12px] text-ink3">{currency}</span>
            </td>
            <td className="col-share text-ink2">{(share / 10).toFixed(1).replace('.', decimalSign())} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The button says what it does, and sends what was seen. Without scripts, too. */
function Decision({ connectionId, runId, figures, toType, refused, canDecide, until }: LossPreviewProps) {
  const { set } = figures
  if (!canDecide)
    return <p className="mx-5 mt-5 border-t pt-3 text-[13px] text-ink2 max-md:mx-4">An admin must decide.</p>
  const typed = refused !== null && 'typed' in refused ? refused.typed : null
  const sums = set.totals.map(({ currency, totalAmount }) => ({ currency, amount: totalAmount }))
  return (
    <section aria-label="Decision" className="mx-5 mt-5 border-t pt-3.5 max-md:mx-4">
      <div className="flex flex-wrap items-end gap-2">
        <form
          method="post"
          action={`/api/connections/${connectionId}/sync/loss`}
          className="flex min-w-0 flex-wrap items-end gap-x-3 gap-y-2"
        >
          <input type="hidden" name="runId" value={runId} />
          <input type="hidden" name="decision" value="accepted" />
          <input type="hidden" name="set" value={set.hash} />
          <input type="hidden" name="seen" value={`${set.lineCount}-${set.invoiceCount}`} />
          {toType !== null && (
            <label className="text-[12px] text-ink2 leading-5">
              <span className="block font-medium">Type {toType} to accept</span>
              <input
                name="typed"
                required
                autoComplete="off"
                inputMode="numeric"
                className="field h-8 w-36"
                defaultValue={typed ?? ''}
                aria-invalid={typed !== null || undefined}
                aria-describedby={typed === null ? undefined : 'typed-wrong'}
              />
            </label>
          )}
          <button type="submit" className={`${buttonClass({ look: 'danger' })} loss-accept`}>
            Accept removal of {set.lineCount > 0 ? plural(set.lineCount, 'line') : plural(set.invoiceCount, 'invoice')}
            {sums.length > 0 && (
              <span>
                <MoneyList sums={sums} />
              </span>
            )}
          </button>
        </form>
        <KeepEverything connectionId={connectionId} runId={runId} />
      </div>
      {typed !== null && (
        <p id="typed-wrong" role="alert" className="mt-1 text-[12.5px] text-bad">
          Nothing was accepted: type {toType}, the number of what would be removed.
        </p>
      )}
      <p className="mt-2 text-[12.5px] text-ink2">
        Can be taken back until {until}, in one step; what comes back on the platform counts again by itself. Kept,
        everything stays and the next full check looks again.
      </p>
    </section>
  )
}

function Title({ id, name, note }: { id: string; name: string; note: ReactNode }) {
  return (
    <h2 id={id} className="font-semibold text-[13px]">
      {name} <span className="ml-1 font-normal text-[12px] text-ink3">{note}</span>
    </h2>
  )
}
