'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import type { RunProgress } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { isUnderWay, LOOK_BACK_DAYS } from '#lib/reconcile/sync-run.ts'
import { CancelSync } from './cancel-sync.client.tsx'

type SyncButtonsProps = {
  connectionId: ConnectionId
  status: RunProgress['status'] | null
  /** Called after a request, which has changed the activity. */
  onChange: () => Promise<void>
}

type Wish = { label: string; path: string; hint: string; look: 'plain' | 'primary' | 'quiet' }

const SYNC: Wish = {
  label: 'Sync now',
  path: '',
  hint: `Read new invoices, those that may still change, and all lines of the last ${LOOK_BACK_DAYS} days`,
  look: 'plain',
}
const PAUSE: Wish = {
  label: 'Pause',
  path: '/pause',
  hint: 'Stop after the current page and keep the place',
  look: 'plain',
}
const RESUME: Wish = { label: 'Resume', path: '/resume', hint: 'Continue where the sync stopped', look: 'primary' }
const VERIFY: Wish = {
  label: 'Run full check',
  path: '/verify',
  look: 'quiet',
  hint: 'Read all invoices and lines again and compare them with what is held',
}

/** Ignores a second click on a button that has just changed its action. */
const REST_MS = 500

/**
 * Starts, pauses, resumes and cancels a sync; plain forms without scripts. The first button stays
 * one element while its action changes, to keep the keyboard focus, and takes over the focus when
 * the second disappears. Canceling asks first.
 */
export function SyncButtons({ connectionId, status, onChange }: SyncButtonsProps) {
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const first = useRef<HTMLButtonElement>(null)
  const wasFocused = useRef(false)
  const isOn = isUnderWay(status === null ? null : { status })
  const main = isOn ? PAUSE : status === 'paused' ? RESUME : SYNC
  const canCancel = isOn || status === 'paused'

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks where the focus is when another button has come
  useEffect(() => {
    if (wasFocused.current && document.activeElement === document.body) first.current?.focus()
    wasFocused.current = false
  }, [canCancel])

  const toAction = (path: string) => `/api/connections/${connectionId}/sync${path}`
  const ask = async (event: FormEvent<HTMLFormElement>, path: string) => {
    event.preventDefault()
    if (isAsking) return
    wasFocused.current = event.currentTarget.contains(document.activeElement)
    setAsking(true)
    setFailure(null)
    const answer = await readAnswer(toAction(path), undefined, { method: 'POST' })
    if (answer.status === 'failed')
      setFailure(`${answer.text}${answer.reference ? ` Reference ${answer.reference}.` : ''}`)
    if (answer.status === 'missing') setFailure('This connection is no longer there. Reload the page.')
    await onChange()
    setTimeout(() => setAsking(false), REST_MS)
  }

  const draw = (wish: Wish, ref?: typeof first) => (
    <form method="post" action={toAction(wish.path)} onSubmit={(event) => ask(event, wish.path)}>
      <button
        ref={ref}
        type="submit"
        title={wish.hint}
        aria-disabled={isAsking}
        className={buttonClass({ look: wish.look })}
      >
        {wish.label}
      </button>
    </form>
  )
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 print:hidden">
      {failure !== null && (
        <p role="alert" className="max-w-72 text-[12px] text-bad leading-4">
          {failure}
        </p>
      )}
      {draw(main, first)}
      {canCancel ? (
        <CancelSync
          action={toAction('/cancel')}
          isPaused={status === 'paused'}
          isBusy={isAsking}
          onConfirm={(event) => ask(event, '/cancel')}
          next={first}
        />
      ) : (
        draw(VERIFY)
      )}
    </div>
  )
}
