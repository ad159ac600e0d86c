'use client'

import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import type { CloseWish } from './close-flow.ts'

const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.client.tsx')).CloseDialog }))

/** A button of the page: its words, and what it asks for. `isNext`: the one step that comes now. */
export type CloseAction = { words: string; wish: CloseWish; isNext: boolean }

type CloseActionsProps = {
  actions: readonly CloseAction[]
  /** Who may be let into a locked month. */
  people: readonly { id: string; name: string }[]
  /** Why the next step is not this person's; null where it is. */
  whyNot: string | null
}

/** What this person may do with a month or an invoice, each after a look at what that would do. */
export function CloseActions({ actions, people, whyNot }: CloseActionsProps) {
  const [wish, setWish] = useState<CloseWish | null>(null)
  return (
    <div tabIndex={-1} className="close-verbs">
      {actions.map(({ words, wish: own, isNext }) => (
        <button
          key={words}
          type="button"
          aria-haspopup="dialog"
          onClick={() => setWish(own)}
          className={buttonClass({ look: isNext ? 'primary' : 'plain', size: 'small' })}
        >
          {words}
        </button>
      ))}
      {whyNot !== null && <small>{whyNot}</small>}
      {wish !== null && (
        <Suspense>
          <CloseDialog wish={wish} people={people} onClose={() => setWish(null)} />
        </Suspense>
      )}
    </div>
  )
}
