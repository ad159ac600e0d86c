import { Amount } from '#components/figures/amount.tsx'
import { Link } from '#components/query/link.client.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import type { InvoiceReviewCount } from '#lib/ledger/model.ts'
import { DEFAULT_INVOICE_QUERY } from '#lib/ledger/query/invoice-query.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import type { ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { REVIEW_LOOKS } from './review-looks.ts'

type ReviewInvoicesProps = {
  counts: readonly InvoiceReviewCount[]
  scope: LedgerScope
  /** Those that are counted. */
  states: readonly ReviewChoice[]
}

/** Invoices that stand alike by themselves, beside the lines: where they are listed and decided. */
export function ReviewInvoices({ counts, scope: { dateField: _, ...scope }, states }: ReviewInvoicesProps) {
  const count = counts.reduce((sum, { invoiceCount }) => sum + invoiceCount, 0)
  if (count === 0) return null
  const query = { ...DEFAULT_INVOICE_QUERY, ...scope, reviews: [...states] }
  const stakes = counts.filter(({ stake }) => /[1-9]/.test(stake))
  const are = count === 1 ? 'with a finding of its own is' : 'with findings of their own are'
  return (
    <p className="review-gone pb-2">
      {plural(count, 'invoice')} {are} {states.map((state) => REVIEW_LOOKS[state].word).join(' or ')}
      {stakes.map(({ currency, stake }, at) => (
        <span key={currency} className="whitespace-nowrap">
          {at > 0 ? ' · ' : ', in question: '}
          <Amount amount={stake} currency={currency} withCode />
        </span>
      ))}
      . <Link href={toListAddress({ list: 'invoices', query })}>{count === 1 ? 'Show it' : 'Show them'}</Link>
    </p>
  )
}
