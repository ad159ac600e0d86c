'use client'

import { useEffect, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { type Answer, readAnswer } from '#components/query/read-answer.ts'
import { CopyButton } from '#components/text/copy-button.client.tsx'
import type { LetterToSend, SentLetter } from '#lib/ledger/model.ts'
import { writeLetter } from '#lib/reconcile/dispute/letter.ts'
import { LETTER_LANGUAGES, type LetterLanguage } from '#lib/reconcile/dispute/letter-format.ts'
import { toLetterTabText } from '#lib/reconcile/dispute/letter-table.ts'
import { toMailLink } from '#lib/reconcile/dispute/mail-link.ts'
import { MarkAsSent, SentLetters } from './sent-letter.client.tsx'

const LANGUAGE_NAMES: Record<LetterLanguage, string> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' }

type DisputeLetterProps = {
  connectionId: string
  invoiceSerialNumber: string
  lineId: string
  version: string
  /** About this dispute, the last sent first. */
  letters: SentLetter[]
  /** For whoever may decide: somebody marked a letter, or took a mark back. */
  onMarked: (() => void) | undefined
}

/** The text to the platform about a disputed line, or all that is disputed of its invoice. */
export function DisputeLetter({
  connectionId,
  invoiceSerialNumber,
  lineId,
  version,
  letters,
  onMarked,
}: DisputeLetterProps) {
  const [ofInvoice, setOfInvoice] = useState(false)
  const [language, setLanguage] = useState<LetterLanguage>('en')
  const [isMarking, setMarking] = useState(false)
  const search = new URLSearchParams({ connection: connectionId, invoice: invoiceSerialNumber })
  if (!ofInvoice) search.set('line', lineId)
  const answer = useLetter(`/api/review/letter?${search}`, version)
  if (answer === null) return <p className="decision-hint">Writing the text…</p>
  if (answer.status !== 'ready' || answer.value === null)
    return <p role="alert">{answer.status === 'failed' ? answer.text : 'Nothing is expected back for this line.'}</p>
  const letter = answer.value
  const written = writeLetter(letter, language)
  const mail = toMailLink(written)
  // who takes the text along is about to send it: that is offered, and said by a person alone
  const offer = () => setMarking(onMarked !== undefined)
  return (
    <section aria-label="Text to the platform" className="dispute-letter">
      <div className="dispute-letter-head">
        <h3>Text to the platform</h3>
        <fieldset aria-label="Language" className="dispute-letter-languages">
          {LETTER_LANGUAGES.map((each) => (
            <button
              key={each}
              type="button"
              lang={each}
              aria-pressed={each === language}
              onClick={() => setLanguage(each)}
              className={buttonClass({ look: each === language ? 'plain' : 'quiet', size: 'small' })}
            >
              {LANGUAGE_NAMES[each]}
            </button>
          ))}
        </fieldset>
      </div>
      <label className="dispute-letter-scope">
        <input type="checkbox" checked={ofInvoice} onChange={() => setOfInvoice(!ofInvoice)} />
        with everything disputed of this invoice
      </label>
      <p lang={language} className="dispute-letter-subject">
        {written.subject}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by keys */}
      <pre lang={language} tabIndex={0}>
        {written.text}
      </pre>
      <div className="dispute-letter-verbs">
        <CopyButton text={`${written.subject}\n\n${written.text}`} label="Copy text" onCopied={offer} />
        <CopyButton text={toLetterTabText(letter, language)} label="Copy table" />
        {mail.carries !== 'nothing' && (
          <a href={mail.href} onClick={offer} className={buttonClass({ size: 'small' })}>
            {mail.carries === 'all' ? 'Write a mail' : 'Write a mail (subject alone: copy the text)'}
          </a>
        )}
        {onMarked !== undefined && !isMarking && (
          <button type="button" onClick={() => setMarking(true)} className={buttonClass({ size: 'small' })}>
            Mark as sent
          </button>
        )}
      </div>
      {onMarked !== undefined && isMarking && (
        <MarkAsSent
          letter={{ connection: connectionId, invoice: invoiceSerialNumber, disputes: letter.disputes }}
          recipient={letter.recipient}
          onClose={() => setMarking(false)}
          onMarked={onMarked}
        />
      )}
      <SentLetters letters={letters} onTakenBack={onMarked} />
    </section>
  )
}

/** The last letter stays until another one is there. */
function useLetter(address: string, version: string): Answer<LetterToSend | null> | null {
  const [answer, setAnswer] = useState<Answer<LetterToSend | null> | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision asks anew
  useEffect(() => {
    const asked = new AbortController()
    readAnswer<LetterToSend | null>(address, asked.signal).then((value) => {
      if (!asked.signal.aborted) setAnswer(value)
    })
    return () => asked.abort()
  }, [address, version])
  return answer
}
