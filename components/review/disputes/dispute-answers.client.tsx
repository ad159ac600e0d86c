'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { type Answer as Reply, readAnswer } from '#components/query/read-answer.ts'
import type { AnsweredDispute } from '#lib/ledger/model.ts'
import type { Answer, Fit } from '#lib/reconcile/dispute/answer.ts'
import { describeAnswer } from '#lib/reconcile/dispute/answer-words.ts'
import { describeDaysAgo } from './days-ago.ts'

type Disputes = { disputes: AnsweredDispute[] }

/** Later credits and corrections that answer what is disputed; a person confirms each. */
export function DisputeAnswers({ mayDecide }: { mayDecide: boolean }) {
  const router = useRouter()
  const [reply, setReply] = useState<Reply<Disputes> | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const ask = async (signal?: AbortSignal) => {
    const next = await readAnswer<Disputes>('/api/review/answers', signal)
    if (!signal?.aborted) setReply(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, and after each confirmation
  useEffect(() => {
    const asked = new AbortController()
    void ask(asked.signal)
    return () => asked.abort()
  }, [])
  const confirm = async (dispute: string, { terms }: Fit) => {
    const body = JSON.stringify({ dispute, candidates: terms.map(({ candidateId }) => candidateId) })
    const headers = { 'content-type': 'application/json' }
    const ended = await readAnswer('/api/review/settle', undefined, { method: 'POST', headers, body })
    setRefused(ended.status === 'failed' ? ended.text : null)
    await ask()
    router.refresh()
  }
  if (reply === null) return null
  if (reply.status !== 'ready')
    return reply.status === 'failed' ? (
      <p role="alert" className="dispute-answers">
        {reply.text}
      </p>
    ) : null
  const answered = reply.value.disputes.flatMap(({ dispute, answer }) => (answer === null ? [] : [{ dispute, answer }]))
  if (answered.length === 0 && refused === null) return null
  return (
    <section aria-label="Answers" className="dispute-answers">
      {refused !== null && <p role="alert">{refused}</p>}
      {answered.map(({ dispute, answer }) => (
        <article key={dispute.id}>
          <p>
            <b>
              <bdi>{dispute.description || 'Line without a description'}</bdi>
            </b>{' '}
            <bdi>{dispute.invoiceSerialNumber}</bdi>, expected back{' '}
            <Amount amount={dispute.expectedBack} currency={dispute.currency} withCode />, disputed{' '}
            {describeDaysAgo(dispute.daysWaiting)}
            {dispute.letter !== null && (
              <>
                , letter sent {describeDaysAgo(dispute.letter.daysAgo)} by <bdi>{dispute.letter.name}</bdi>
              </>
            )}
          </p>
          <ProposedAnswer answer={answer} confirm={mayDecide ? (fit) => confirm(dispute.id, fit) : undefined} />
        </article>
      ))}
    </section>
  )
}

type ProposedProps = { answer: Answer; confirm: ((fit: Fit) => void) | undefined }

/** What came, and why it is taken for an answer. Of a tie each possibility has its own button. */
function ProposedAnswer({ answer, confirm }: ProposedProps) {
  const { sentence, reasons } = describeAnswer(answer)
  const fits = 'fit' in answer ? [answer.fit] : answer.alternatives
  return (
    <>
      <p>
        {sentence}
        {reasons.length > 0 && <small> ({reasons.join(', ')})</small>}
      </p>
      {fits.map((fit) => (
        <p key={fit.terms.map(({ candidateId }) => candidateId).join()} className="dispute-fit">
          <span>
            <Amount amount={fit.expected} currency={answer.currency} />
            {fit.terms.map((term) => (
              <span key={term.candidateId}>
                {' − '}
                <Amount amount={term.amount} currency={answer.currency} />{' '}
                <small>
                  <bdi>{term.invoiceSerialNumber}</bdi>
                </small>
              </span>
            ))}
            {' = '}
            <Amount amount={fit.left} currency={answer.currency} withCode /> left
          </span>
          {confirm && (
            <button type="button" onClick={() => confirm(fit)} className={buttonClass({ size: 'small' })}>
              Confirm
            </button>
          )}
        </p>
      ))}
    </>
  )
}
