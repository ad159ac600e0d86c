import { Amount } from '#components/figures/amount.tsx'
import { LocalMoment } from '#components/text/local-moment.tsx'
import type { InvoiceDetail, InvoiceEvent } from '#lib/ledger/model.ts'
import { writeRowKey } from '#lib/ledger/query/list-place.ts'
import { INVOICE_FINDING_LABELS } from '#lib/reconcile/reasons/tie-out-words.ts'
import type { SeenInvoice } from '#lib/reconcile/review/invoice-review.ts'
import { CAUSE_WORDS, type ReviewVerb, statesWith } from '#lib/reconcile/review/review-state.ts'
import { DecisionButton } from './decision-button.client.tsx'
import { KIND_WORDS, REVIEW_LOOKS } from './review-looks.ts'
import { ReviewText } from './review-text.tsx'

type InvoiceReviewProps = { invoice: InvoiceDetail; mayDecide: boolean }

/**
 * Where the invoice's own findings stand, what can be decided about them, and what was. Nothing
 * where there is nothing to decide.
 */
export function InvoiceReview({ invoice, mayDecide }: InvoiceReviewProps) {
  const { review, decisions, seen, currency, tieOut } = invoice
  if (review === null && decisions.length === 0) return null
  const key = writeRowKey({ connectionId: invoice.connectionId, id: invoice.serialNumber })
  const stand = review ?? { state: 'open', previous: null, cause: null }
  return (
    <section aria-label="Review of the invoice" className="line-review">
      <p className="line-review-state">
        <ReviewText {...stand} />
        {stand.cause !== null && (
          <span>
            {CAUSE_WORDS[stand.cause]}
            {stand.previous !== null && `; it was ${REVIEW_LOOKS[stand.previous].word}`}
          </span>
        )}
      </p>
      {stand.state === 'suspended' && seen !== null && (
        <p className="line-review-moved">
          <Seen seen={seen} /> when decided; now total <Amount amount={tieOut.total} currency={currency} withCode />,
          unexplained <Amount amount={tieOut.unexplained} currency={currency} signed />
        </p>
      )}
      {mayDecide && review !== null && (
        <div className="line-review-verbs">
          {(['accept', 'dispute', 'withdraw'] as const)
            .filter((verb) => statesWith(verb, 'changes').includes(stand.state))
            .map((verb) => (
              <DecisionButton key={verb} asked={{ kind: verb, of: 'invoice', search: '', only: [key] }}>
                {toVerbWords(verb, stand.state)}
              </DecisionButton>
            ))}
        </div>
      )}
      {decisions.length > 0 && (
        <ol aria-label="What was decided" className="line-review-past">
          {decisions.map((event) => (
            <li key={event.number}>
              <EventText event={event} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function toVerbWords(verb: ReviewVerb, state: string): string {
  const again = verb === 'accept' && state === 'suspended' ? ' again' : ''
  return `${KIND_WORDS[verb].verb}${again}…`
}

function Seen({ seen: { total, unexplained, findings, currency } }: { seen: SeenInvoice }) {
  return (
    <>
      {findings.map(({ code }) => INVOICE_FINDING_LABELS[code]).join(', ')}: total{' '}
      <Amount amount={total} currency={currency} withCode />, unexplained{' '}
      <Amount amount={unexplained} currency={currency} signed />
    </>
  )
}

function EventText({ event }: { event: InvoiceEvent }) {
  return (
    <>
      <span>
        <bdi>{event.name}</bdi> {event.kind === 'undo' ? 'took back a decision' : KIND_WORDS[event.kind].done}
        {event.reasonWords && (
          <>
            : <bdi>{event.reasonWords}</bdi>
          </>
        )}
        {event.note && (
          <q>
            <bdi>{event.note}</bdi>
          </q>
        )}
      </span>
      <LocalMoment at={event.at} />
    </>
  )
}
