'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { PackDialog } from '#components/packs/pack-dialog.client.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { DialogBox } from '#components/primitives/dialog-box.client.tsx'
import { type CloseWish, changeClose, type WordsWish } from './close-flow.ts'
import { SignDialog } from './sign-dialog.client.tsx'

type CloseDialogProps = {
  wish: CloseWish
  people: readonly { id: string; name: string }[]
  onClose: () => void
}

/** What a step would do, and the button that does exactly that. */
export function CloseDialog({ wish, people, onClose: onClosed }: CloseDialogProps) {
  const router = useRouter()
  const [buttons] = useState(() => document.activeElement?.closest<HTMLElement>('.close-verbs'))
  const onClose = () => {
    onClosed()
    // the button that had the focus may go with its step
    buttons?.focus()
  }
  const onDone = () => {
    onClose()
    router.refresh()
  }
  if (wish.verb === 'pack') return <PackDialog scope={wish.of} onClose={onClose} />
  if ('scope' in wish) return <SignDialog wish={wish} onDone={onDone} onClose={onClose} />
  return <WordsDialog wish={wish} people={people} onDone={onDone} onClose={onClose} />
}

const TEXTS: Record<WordsWish['verb'], { title: string; hint: string; button: string }> = {
  reopen: {
    title: 'Reopen the month',
    hint: 'Its signatures end and stay readable, and exceptions end with the lock. Then it is prepared and approved anew.',
    button: 'Reopen',
  },
  exception: {
    title: 'Let one person change the locked month',
    hint: 'Everybody else stays locked out. What they decide meanwhile is listed here, and ends the signatures.',
    button: 'Let them in',
  },
  withdraw: {
    title: 'Take your signature back',
    hint: 'It stays readable as an earlier one. What is signed on it has to be taken back first.',
    button: 'Take back',
  },
  end: {
    title: 'End the exception',
    hint: 'From now on they cannot change the locked month any more. What they did stays.',
    button: 'End it',
  },
}

type WordsDialogProps = CloseDialogProps & { wish: WordsWish; onDone: () => void }

function WordsDialog({ wish, people, onDone, onClose }: WordsDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const { title, hint, button } = TEXTS[wish.verb]
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    const answer = await send(wish, new FormData(event.currentTarget))
    setBusy(false)
    if (answer.status === 'ready') return onDone()
    setRefused(answer.status === 'failed' ? answer.text : 'There is no such month any more.')
  }
  return (
    <DialogBox label={title} onClose={onClose} className="decision close-dialog">
      {(close) => (
        <form onSubmit={submit}>
          <h2 className="decision-title">{title}</h2>
          <p className="decision-hint">{hint}</p>
          {wish.verb === 'exception' && <ExceptionFields people={people} />}
          {(wish.verb === 'exception' || wish.verb === 'reopen') && (
            <label className="close-field">
              Reason <small>kept in the audit</small>
              <input name="reason" required maxLength={2000} autoComplete="off" />
            </label>
          )}
          {refused !== null && (
            <p role="alert" className="decision-refused">
              {refused}
            </p>
          )}
          <div className="decision-foot">
            <button type="submit" disabled={isBusy} className={buttonClass({ look: 'primary' })}>
              {button}
            </button>
            <button type="button" onClick={close} className={buttonClass()}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </DialogBox>
  )
}

function send(wish: WordsWish, fields: FormData) {
  const read = (name: string) => `${fields.get(name) ?? ''}`.trim()
  switch (wish.verb) {
    case 'reopen':
      return changeClose('reopen', { lock: wish.lock, reason: read('reason') })
    case 'withdraw':
      return changeClose('withdraw', { signOff: wish.signOff })
    case 'end':
      return changeClose('exception', { end: wish.exception })
    default:
      return changeClose('exception', {
        lock: wish.lock,
        person: read('person'),
        until: new Date(read('until')).toISOString(),
        reason: read('reason'),
      })
  }
}

const DAY_MS = 24 * 60 * 60 * 1000
const MOST_DAYS = 30

/** Until tomorrow at this time, unless another moment is said. */
function ExceptionFields({ people }: { people: readonly { id: string; name: string }[] }) {
  const [now] = useState(() => Date.now())
  return (
    <div className="close-fields">
      <label className="close-field">
        Person
        <select name="person" required>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="close-field">
        Until <small>at most a month</small>
        <input
          name="until"
          type="datetime-local"
          required
          min={toLocalInput(now)}
          max={toLocalInput(now + MOST_DAYS * DAY_MS)}
          defaultValue={toLocalInput(now + DAY_MS)}
        />
      </label>
    </div>
  )
}

/** A moment as the field has it, in the browser's zone: `2026-11-26T14:30`. */
function toLocalInput(moment: number): string {
  const date = new Date(moment)
  return new Date(moment - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
