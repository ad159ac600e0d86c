'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { DialogBox } from '#components/primitives/dialog-box.client.tsx'
import { LocalTime } from '#components/text/local-time.tsx'
import { plural } from '#components/text/plural.ts'
import type { SignOffPreview } from '#lib/ledger/close/sign-off.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { askSignOff, changeClose, type SignWish, sign } from './close-flow.ts'

type SignDialogProps = {
  wish: SignWish
  onDone: () => void
  onClose: () => void
}

type Shown =
  | { step: 'asking' }
  | { step: 'seen'; preview: SignOffPreview; differs: boolean; text: string | null }
  | { step: 'failed'; text: string }

const VERBS = { prepare: 'Prepare', approve: 'Approve', lock: 'Lock' } as const
const GONE = 'There is nothing of it any more.'

/** Why it cannot be done now, as far as a preview can tell. */
const REFUSED: Partial<Record<NonNullable<SignOffPreview['refusal']>, string>> = {
  'four-eyes': 'You prepared it: somebody else approves it.',
  'no-step-before': 'Nobody has prepared it yet, or what was prepared has changed since.',
  'period-locked': 'The month is locked.',
  nothing: 'There is no invoice in it to be signed.',
  already: 'It is done already.',
}

/** The dry run of a signature or a lock, and the button that signs exactly that. */
export function SignDialog({ wish, onDone, onClose }: SignDialogProps) {
  const [shown, setShown] = useState<Shown>({ step: 'asking' })
  const [isBusy, setBusy] = useState(false)
  const isAsked = useRef(false)
  const { verb, scope } = wish
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog asks once
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    askSignOff(scope, verb === 'prepare' ? 'prepared' : 'approved').then((answer) => {
      if (answer.status === 'ready')
        return setShown({ step: 'seen', preview: answer.value, differs: false, text: null })
      setShown({ step: 'failed', text: answer.status === 'failed' ? answer.text : GONE })
    })
  }, [])
  if (shown.step === 'asking') return null
  if (shown.step === 'failed')
    return (
      <DialogBox label={VERBS[verb]} onClose={onClose} className="decision close-dialog">
        {(close) => (
          <div role="alert">
            <h2 className="decision-title">That could not be looked at</h2>
            <p className="decision-hint">{shown.text}</p>
            <div className="decision-foot">
              <button type="button" onClick={close} className={buttonClass()}>
                Close
              </button>
            </div>
          </div>
        )}
      </DialogBox>
    )
  const { preview, differs, text } = shown
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    const answer = await send(verb, preview, new FormData(event.currentTarget))
    setBusy(false)
    if (answer.status !== 'ready') {
      const refused = answer.status === 'failed' ? answer.text : GONE
      return setShown({ step: 'seen', preview, differs: false, text: refused })
    }
    if (answer.value.kind !== 'differs') return onDone()
    setShown({ step: 'seen', preview: answer.value.preview, differs: true, text: null })
  }
  const refusal = findRefusal(verb, preview)
  const title = `${VERBS[verb]} ${plural(preview.lineCount, 'line')}`
  return (
    <DialogBox label={title} onClose={onClose} className="decision close-dialog">
      {(close) => (
        <form onSubmit={submit}>
          <h2 className="decision-title">{title}</h2>
          <p className="decision-hint">
            {plural(preview.invoiceCount, 'invoice')}, as of <LocalTime at={preview.at} />. Nothing is written yet.
          </p>
          {differs && (
            <p role="alert" className="decision-changed">
              This is not what you saw, and nothing was signed. Look at it again.
            </p>
          )}
          {preview.runningSync !== null && (
            <p className="decision-changed">
              A sync is under way since <LocalTime at={preview.runningSync.since} />. What it changes after this ends
              the signature.
            </p>
          )}
          <Figures preview={preview} />
          {verb === 'prepare' && <Residuals preview={preview} />}
          {verb === 'lock' && (
            <p className="close-effect">
              From then on nobody decides in it. Syncs go on: what the platform changes later is listed here with its
              amount, and booked in the next open month.
            </p>
          )}
          {(text ?? refusal) !== null && (
            <p role="alert" className="decision-refused">
              {text ?? refusal}
            </p>
          )}
          <div className="decision-foot">
            <span>
              Seal <code>{preview.sealHex.slice(0, 8)}</code>
            </span>
            {refusal === null && (
              <button type="submit" disabled={isBusy} className={buttonClass({ look: 'primary' })}>
                {title}
                {preview.totals.map(({ currency, total }) => `, ${formatAmount(total, currency)} ${currency}`)}
              </button>
            )}
            <button type="button" onClick={close} className={buttonClass()}>
              {refusal === null ? 'Cancel' : 'Close'}
            </button>
          </div>
        </form>
      )}
    </DialogBox>
  )
}

/** What is approved is there to be locked: that the approval stands is no refusal then. */
function findRefusal(verb: SignWish['verb'], { refusal, approved }: SignOffPreview): string | null {
  if (verb === 'lock')
    return approved === null ? 'Nobody has approved it, or what was approved has changed since.' : null
  return refusal === null ? null : (REFUSED[refusal] ?? 'That cannot be done now.')
}

async function send(verb: SignWish['verb'], preview: SignOffPreview, fields: FormData) {
  if (verb === 'lock') {
    const answer = await changeClose('lock', { scope: preview.scope })
    return answer.status === 'ready' ? { status: 'ready' as const, value: { kind: 'locked' as const } } : answer
  }
  const read = (name: string) => `${fields.get(name) ?? ''}`.trim()
  const residuals = preview.open.map(({ currency, amount }) => ({
    currency,
    amount,
    reason: read(`reason ${currency}`),
    note: null,
  }))
  return sign(verb, preview, verb === 'prepare' ? residuals : [])
}

/** What is signed, per currency, and what of it is still open. */
function Figures({ preview }: { preview: SignOffPreview }) {
  const { totals, undecided, openDisputes, notImported, residuals } = preview
  const open = [
    undecided > 0 ? `${plural(undecided, 'finding')} undecided` : null,
    openDisputes > 0 ? `${plural(openDisputes, 'dispute')} open` : null,
    notImported > 0 ? `${plural(notImported, 'record')} not imported` : null,
  ].filter((part) => part !== null)
  return (
    <>
      <table className="close-figures">
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col">Lines</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ currency, lineCount, total }) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              <td>{lineCount}</td>
              <td>{formatAmount(total, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="close-effect">{open.length === 0 ? 'Every finding is decided.' : `${open.join(', ')}.`}</p>
      {residuals.map(({ currency, amount, reason, by }) => (
        <p key={currency} className="close-effect">
          Accepted as residual: {formatAmount(amount as never, currency)} {currency}, by <bdi>{by}</bdi>:{' '}
          <bdi>{reason}</bdi>
        </p>
      ))}
    </>
  )
}

/** What is undecided is accepted with its amount and a reason, which stay, or is decided first. */
function Residuals({ preview: { open, undecided } }: { preview: SignOffPreview }) {
  if (open.length === 0) return null
  return (
    <fieldset className="close-residuals">
      <legend>Accept what is undecided as residual ({plural(undecided, 'finding')}), or decide it first</legend>
      {open.map(({ currency, amount }) => (
        <label key={currency} className="close-field">
          <span>
            {formatAmount(amount, currency)} {currency}: why
          </span>
          <input name={`reason ${currency}`} required maxLength={2000} autoComplete="off" />
        </label>
      ))}
    </fieldset>
  )
}
