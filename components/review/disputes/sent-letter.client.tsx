'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import { plural } from '#components/text/plural.ts'
import type { LetterToSend, SentLetter } from '#lib/ledger/model.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { describeDaysAgo } from './days-ago.ts'

const post = (address: string, body: unknown) =>
  readAnswer(address, undefined, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

type MarkAsSentProps = {
  /** Exactly what the text names. */
  letter: Pick<LetterToSend, 'disputes'> & { connection: string; invoice: string }
  /** To whom the last one of the account went. */
  recipient: string | null
  onClose: () => void
  onMarked: () => void
}

/** Asks to whom and when, and marks the letter as sent. */
export function MarkAsSent({ letter, recipient, onClose, onMarked }: MarkAsSentProps) {
  const [text, setText] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // browsers may answer with a promise, which is no way to clean up
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    const ended = await post('/api/review/letter', {
      ...letter,
      sentOn: fields.get('sentOn'),
      recipient: fields.get('recipient'),
    })
    setBusy(false)
    setText(ended.status === 'failed' ? ended.text : null)
    if (ended.status !== 'ready') return
    onClose()
    onMarked()
  }
  return (
    <form ref={form} onSubmit={submit} aria-label="Sent letter" className="letter-mark">
      <label className="letter-recipient">
        Sent to
        <input
          name="recipient"
          required
          maxLength={200}
          defaultValue={recipient ?? ''}
          placeholder="an address, a portal, a person"
          autoComplete="off"
          dir="auto"
          className="field h-7"
        />
      </label>
      <label>
        On
        <input name="sentOn" type="date" required defaultValue={toOwnDay(new Date())} className="field h-7" />
      </label>
      <span>
        <button type="submit" disabled={isBusy} className={buttonClass({ look: 'primary', size: 'small' })}>
          Mark as sent
        </button>
        <button type="button" onClick={onClose} className={buttonClass({ look: 'quiet', size: 'small' })}>
          Not yet
        </button>
      </span>
      {text !== null && (
        <p role="alert" className="decision-refused">
          {text}
        </p>
      )}
    </form>
  )
}

/** The day where the person is. */
function toOwnDay(now: Date): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

type SentLettersProps = { letters: SentLetter[]; onTakenBack: (() => void) | undefined }

/**
 * Which letters were sent about a dispute, by whom, to whom; also those that were not after all.
 */
export function SentLetters({ letters, onTakenBack }: SentLettersProps) {
  const [text, setText] = useState<string | null>(null)
  if (letters.length === 0) return null
  const takeBack = async (id: string) => {
    const ended = await post('/api/review/letter/withdraw', { letter: id })
    setText(ended.status === 'failed' ? ended.text : null)
    onTakenBack?.()
  }
  return (
    <>
      <ul aria-label="Sent letters" className="letters-sent">
        {letters.map(({ id, sentOn, daysAgo, name, recipient, lineCount, withdrawnBy }) => (
          <li key={id} className={withdrawnBy === null ? undefined : 'is-withdrawn'}>
            <span>
              Letter sent <time title={formatDay(sentOn)}>{describeDaysAgo(daysAgo)}</time> by <bdi>{name}</bdi> to{' '}
              <bdi>{recipient}</bdi>
              {lineCount > 1 && `, about ${plural(lineCount, 'line')}`}
              {withdrawnBy !== null && (
                <>
                  {'; taken back by '}
                  <bdi>{withdrawnBy}</bdi>
                </>
              )}
            </span>
            {onTakenBack !== undefined && withdrawnBy === null && (
              <button
                type="button"
                onClick={() => takeBack(id)}
                aria-label={`Not sent: the letter to ${recipient}`}
                className={buttonClass({ look: 'quiet', size: 'small' })}
              >
                Not sent
              </button>
            )}
          </li>
        ))}
      </ul>
      {text !== null && (
        <p role="alert" className="decision-refused">
          {text}
        </p>
      )}
    </>
  )
}
