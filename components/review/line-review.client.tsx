'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { parseLineKey } from '#components/lines/line-key.ts'
import { buttonClass } from '#components/primitives/button.ts'
import { Kbd } from '#components/primitives/kbd.tsx'
import { type Answer, readAnswer } from '#components/query/read-answer.ts'
import type { LineReview as Review } from '#lib/ledger/model.ts'
import { CAUSE_WORDS, isDone, type ReviewVerb } from '#lib/reconcile/review/review-state.ts'
import { describeDaysAgo } from './disputes/days-ago.ts'
import { REVIEW_LOOKS } from './review-looks.ts'
import { ReviewText } from './review-text.tsx'

/** Loads with the first disputed line. */
const DisputeLetter = lazy(async () => ({
  default: (await import('./disputes/dispute-letter.client.tsx')).DisputeLetter,
}))

/** What a panel's line has beside it. */
export type PanelReview = {
  /** Another one after each decision: the line stands elsewhere then. */
  version: string
  /** Undefined for whoever may not decide. */
  decide: ((kind: ReviewVerb, key: string) => void) | undefined
}

type LineReviewProps = PanelReview & AskedReview & { openKey: string }

/** The last answer of the server about a line, and how to have another one. */
type AskedReview = { answer: Answer<Review> | null; askAgain: () => void }

/** Where a line stands, and what can be decided about it. */
export function LineReview({ openKey, answer, askAgain, version, decide }: LineReviewProps) {
  const router = useRouter()
  if (answer?.status !== 'ready')
    return answer?.status === 'failed' ? <p role="alert">{answer.text}</p> : <div className="line-review" aria-busy />
  const review = answer.value
  const line = parseLineKey(openKey)
  const { state, previous, cause } = review
  const letter = review.letters.find(({ withdrawnBy }) => withdrawnBy === null)
  const onMarked = () => {
    askAgain()
    router.refresh()
  }
  return (
    <section aria-label="Review" className="line-review">
      <p className="line-review-state">
        <ReviewText state={state} previous={previous} cause={cause} />
        {cause !== null && (
          <span>
            {CAUSE_WORDS[cause]}; it was {previous === null ? 'decided' : REVIEW_LOOKS[previous].word}
          </span>
        )}
        {review.expectedBack !== null && (
          <span>
            expected back <Amount amount={review.expectedBack} currency={review.currency} withCode />
          </span>
        )}
        {review.daysWaiting !== null && (
          <span>
            disputed {describeDaysAgo(review.daysWaiting)}
            {letter === undefined ? (
              ', no letter sent'
            ) : (
              <>
                , letter sent {describeDaysAgo(letter.daysAgo)} by <bdi>{letter.name}</bdi>
              </>
            )}
          </span>
        )}
      </p>
      {state === 'suspended' && review.amountBefore !== null && review.currencyBefore !== null && (
        <p className="line-review-moved">
          <Amount amount={review.amountBefore} currency={review.currencyBefore} withCode /> when decided, now{' '}
          <Amount amount={review.amountNow} currency={review.currency} withCode />
        </p>
      )}
      {decide && (
        <div className="line-review-verbs">
          {!isDone(state) && state !== 'disputed' && (
            <button
              type="button"
              onClick={() => decide('accept', openKey)}
              className={buttonClass({ look: 'primary' })}
            >
              {state === 'suspended' ? 'Accept again' : 'Accept'} <Kbd>A</Kbd>
            </button>
          )}
          {state !== 'disputed' && state !== 'settled' && (
            <button type="button" onClick={() => decide('dispute', openKey)} className={buttonClass()}>
              Dispute <Kbd>D</Kbd>
            </button>
          )}
          {state !== 'open' && (
            <button type="button" onClick={() => decide('withdraw', openKey)} className={buttonClass()}>
              Reopen
            </button>
          )}
        </div>
      )}
      {state === 'disputed' && line !== null && (
        <Suspense>
          <DisputeLetter
            connectionId={line.connectionId}
            invoiceSerialNumber={review.invoiceSerialNumber}
            lineId={line.id}
            version={version}
            letters={review.letters}
            onMarked={decide && onMarked}
          />
        </Suspense>
      )}
    </section>
  )
}

/**
 * Where a line stands, and what was decided about it. The last answer stays until there is a newer
 * one of the same line.
 */
export function useLineReview(openKey: string, version: string): AskedReview {
  const [answer, setAnswer] = useState<{ key: string; value: Answer<Review> } | null>(null)
  const [asks, setAsks] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision asks anew
  useEffect(() => {
    const line = parseLineKey(openKey)
    if (line === null) return
    const asked = new AbortController()
    const search = new URLSearchParams({ connection: line.connectionId, id: line.id })
    readAnswer<Review>(`/api/review/line?${search}`, asked.signal).then((value) => {
      if (!asked.signal.aborted) setAnswer({ key: openKey, value })
    })
    return () => asked.abort()
  }, [openKey, version, asks])
  return { answer: answer?.key === openKey ? answer.value : null, askAgain: () => setAsks(asks + 1) }
}
