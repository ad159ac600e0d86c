import { TalkSlot } from '#components/talk/talk-slot.client.tsx'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { isZeroDecimal } from '#lib/reconcile/money.ts'

/** Who has an invoice, and what people say about it. */
export function InvoiceTalk({ invoice }: { invoice: InvoiceDetail }) {
  const { connectionId, serialNumber, tieOut, total, currency } = invoice
  const figure = isZeroDecimal(tieOut.difference)
    ? { label: 'total', amount: total }
    : { label: 'difference', amount: tieOut.difference }
  return (
    // the room of an empty thread: its code comes later, and the lines below stay where they are
    <div className="min-h-44">
      <TalkSlot subject={{ kind: 'invoice', connectionId, key: serialNumber }} quote={{ ...figure, currency }} />
    </div>
  )
}
