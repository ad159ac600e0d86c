import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { writeCloseQuery } from '#lib/ledger/close/close-query.ts'
import type { CloseOfInvoice } from '#lib/ledger/close/read-close-invoice.ts'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { CloseText } from './close-text.tsx'
import { CloseVerbs } from './close-verbs.tsx'
import { writeFallen } from './close-words.ts'
import type { Acting } from './list-actions.ts'

type InvoiceCloseProps = { invoice: InvoiceDetail; close: CloseOfInvoice; acting: Acting }

/** Where the invoice stands in the close, and the next step of whoever may take it. */
export function InvoiceClose({ invoice, close, acting }: InvoiceCloseProps) {
  const { stand, prepared, approved, lock, fourEyes } = close
  const scope = { kind: 'invoice' as const, connectionId: invoice.connectionId, serialNumber: invoice.serialNumber }
  const isLocked = lock !== null
  const facts = {
    scope,
    state: stand.state,
    prepared,
    approved,
    lock: null,
    isLocked,
    invoiceCount: isLocked ? 0 : 1,
    fourEyes,
  }
  return (
    <section aria-label="Sign-off of the invoice" className="line-review invoice-close">
      <p className="line-review-state">
        <CloseText stand={stand} last={approved ?? prepared} />
        {[prepared, approved].map(
          (signature) =>
            signature !== null && (
              <span key={signature.id}>
                {signature.step} by <bdi>{signature.name}</bdi>, <LocalMoment at={signature.at} />
              </span>
            ),
        )}
      </p>
      {stand.fallen !== null && (
        <p className="line-review-moved">
          <bdi>{writeFallen(stand.fallen)}</bdi>
        </p>
      )}
      {lock !== null && (
        <p className="line-review-moved">
          <Link
            href={toAddress('/close', writeCloseQuery({ chosen: lock.scope, until: null, unlockedOnly: false }))}
            className="text-accent underline underline-offset-2"
          >
            {formatMonth(lock.scope.month)} is locked
          </Link>{' '}
          since <LocalMoment at={lock.at} />, by <bdi>{lock.name}</bdi>.
        </p>
      )}
      <div className="close-actions">
        <CloseVerbs facts={facts} acting={acting} />
      </div>
    </section>
  )
}
