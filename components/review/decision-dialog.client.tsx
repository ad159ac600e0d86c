'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { DialogBox } from '#components/primitives/dialog-box.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { DecisionPreview } from '#lib/ledger/model.ts'
import { type AskedOf, askPreview, type Changed, type Choice, type Made, makeDecision } from './decision-flow.ts'
import { PreviewTable, toMoneyText } from './preview-table.tsx'
import { KIND_WORDS } from './review-looks.ts'

type DecisionDialogProps = {
  asked: AskedOf
  /** Decides at once where there is nothing to choose: one line that needs no reason. */
  isQuick: boolean
  onDone: (made: Made, asked: AskedOf) => void
  onClose: () => void
}

type Shown =
  | { step: 'asking' }
  | { step: 'seen'; preview: DecisionPreview; changes: Changed['changes'] | null; text: string | null }
  | { step: 'failed'; text: string }

const NOTHING_CHOSEN: Choice = { reason: null, note: null, expectedBack: null }

/** What a decision would do, and the button that does exactly that. */
export function DecisionDialog({ asked, isQuick, onDone, onClose }: DecisionDialogProps) {
  const [shown, setShown] = useState<Shown>({ step: 'asking' })
  const [isBusy, setBusy] = useState(false)
  const isAsked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog asks once
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    askPreview(asked).then(async (answer) => {
      if (answer.status !== 'ready')
        return setShown({
          step: 'failed',
          text: answer.status === 'failed' ? answer.text : 'There is no such decision.',
        })
      const preview = answer.value
      if (isQuick && countChanged(preview) === 1 && preview.lineCount === 1 && !preview.asksForReason)
        return decide(preview, NOTHING_CHOSEN)
      setShown({ step: 'seen', preview, changes: null, text: null })
    })
  }, [])

  async function decide(preview: DecisionPreview, choice: Choice) {
    setBusy(true)
    const answer = await makeDecision(asked, preview, choice)
    setBusy(false)
    if (answer.status === 'ready' && answer.value.kind === 'decided') return onDone(answer.value, asked)
    if (answer.status === 'ready' && answer.value.kind === 'changed')
      return setShown({ step: 'seen', preview: answer.value.preview, changes: answer.value.changes, text: null })
    if (answer.status === 'ready' && answer.value.kind === 'retired') {
      const asIsNow = await askPreview(asked)
      const { text } = answer.value
      return setShown({
        step: 'seen',
        preview: asIsNow.status === 'ready' ? asIsNow.value : preview,
        changes: null,
        text,
      })
    }
    const text = answer.status === 'failed' ? answer.text : 'There is no such decision.'
    setShown({ step: 'seen', preview, changes: null, text })
  }

  if (shown.step === 'asking') return null
  const { verb } = KIND_WORDS[asked.kind]
  if (shown.step === 'failed')
    return (
      <DialogBox label={verb} onClose={onClose} className="decision">
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
  const { preview, changes, text } = shown
  const count = countChanged(preview)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const read = (name: string) => `${fields.get(name) ?? ''}`.trim() || null
    void decide(preview, { reason: read('reason'), note: read('note'), expectedBack: read('expected') })
  }
  return (
    <DialogBox label={`${verb} ${plural(preview.lineCount, preview.of)}`} onClose={onClose} className="decision">
      {(close) => (
        <form onSubmit={submit}>
          <h2 className="decision-title">
            {verb} {plural(count, preview.of)}
          </h2>
          <p className="decision-hint">
            {count < preview.lineCount && `Of ${plural(preview.lineCount, preview.of)} that were asked for. `}
            Nothing is written yet.
          </p>
          {changes !== null && <SetChanged changes={changes} of={preview.of} />}
          <PreviewTable preview={preview} kind={asked.kind} />
          {(asked.kind === 'accept' || asked.kind === 'dispute') && count > 0 && (
            <Choices
              kind={asked.kind}
              choices={preview.choices}
              isNeeded={preview.asksForReason}
              isOne={count === 1 && preview.of === 'line'}
            />
          )}
          {text !== null && (
            <p role="alert" className="decision-refused">
              {text}
            </p>
          )}
          <div className="decision-foot">
            <span>
              Set <code>{preview.hash.slice(0, 8)}</code>; what arrives later is not touched.
            </span>
            {count > 0 && (
              <button type="submit" disabled={isBusy} className={buttonClass({ look: 'primary' })}>
                {verb} {plural(count, preview.of)}, {toMoneyText(preview)}
              </button>
            )}
            <button type="button" onClick={close} className={buttonClass()}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </DialogBox>
  )
}

/** Lines that the decision would change. */
function countChanged({ parts }: DecisionPreview): number {
  return parts.reduce(
    (sum, { outcome, totals }) =>
      sum + (outcome === 'changes' ? totals.reduce((lines, total) => lines + total.lineCount, 0) : 0),
    0,
  )
}

type SetChangedProps = { changes: Changed['changes']; of: DecisionPreview['of'] }

function SetChanged({ changes: { came, changed, others }, of }: SetChangedProps) {
  const parts = [
    came > 0 ? `${plural(came, of)} came` : null,
    changed > 0 ? `${plural(changed, of)} changed` : null,
    ...others.map(({ name, lineCount }) => `${name} decided about ${plural(lineCount, of)}`),
  ].filter((part) => part !== null)
  return (
    <p role="alert" className="decision-changed">
      This is not what you saw, and nothing was done{parts.length > 0 && `: ${parts.join(', ')}`}. Look at it again.
    </p>
  )
}

type ChoicesProps = Pick<DecisionPreview, 'choices'> & {
  kind: 'accept' | 'dispute'
  isNeeded: boolean
  isOne: boolean
}

/** The reason, what is expected back of one disputed line, and a note. */
function Choices({ kind, choices, isNeeded, isOne }: ChoicesProps) {
  return (
    <div className="decision-choices">
      <fieldset>
        <legend>Reason</legend>
        {[...(isNeeded ? [] : [{ code: '', words: 'None' }]), ...choices].map(({ code, words }, at) => (
          <label key={code}>
            <input type="radio" name="reason" value={code} required={isNeeded} defaultChecked={!isNeeded && at === 0} />
            <bdi>{words}</bdi>
          </label>
        ))}
      </fieldset>
      {kind === 'dispute' && isOne && (
        <label>
          Expected back
          <input name="expected" inputMode="decimal" placeholder="the difference" autoComplete="off" />
        </label>
      )}
      <label className="decision-note">
        Note <small>kept with the decision</small>
        <input name="note" maxLength={2000} autoComplete="off" />
      </label>
    </div>
  )
}
