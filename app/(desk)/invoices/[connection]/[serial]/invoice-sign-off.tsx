import { InvoiceClose } from '#components/close/invoice-close.tsx'
import type { AppSession } from '#lib/auth/model.ts'
import { listUsers } from '#lib/auth/people/users.ts'
import { readCloseOfInvoice } from '#lib/ledger/close/read-close-invoice.ts'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { stateOf } from '#lib/reconcile/verdict.ts'

/** Who signed the invoice, and what comes next for whom. */
export async function InvoiceSignOff({ visit, invoice }: { visit: { session: AppSession }; invoice: InvoiceDetail }) {
  const { organizationId, userId, role } = visit.session
  const own = invoice.review && { state: invoice.review.state, verdict: stateOf({ invoice: invoice.check }) }
  const [close, users] = await Promise.all([
    readCloseOfInvoice(organizationId, invoice, own),
    listUsers(organizationId, new Date()),
  ])
  const people = users.filter(({ isDisabled }) => !isDisabled).map(({ userId: id, ...user }) => ({ id, ...user }))
  return <InvoiceClose invoice={invoice} close={close} acting={{ id: userId, role, people }} />
}
