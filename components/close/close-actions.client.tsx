'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { CloseWish } from './close-flow.ts'

const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.client.tsx')).CloseDialog }))

/** A button of the page: its words, its looks, and what it asks for. */
export type CloseAction = { words: string; wish: CloseWish; className: string }

type CloseActionsProps = {
  actions: readonly CloseAction[]
  /** Who may be let into a locked month. */
  people: readonly { id: string; name: string }[]
  /** What stands beside the buttons. */
  children?: ReactNode
}

/** What this person may do with a month or an invoice, each after a look at what that would do. */
export function CloseActions({ actions, people, children }: CloseActionsProps) {
  const [wish, setWish] = useState<CloseWish | null>(null)
  return (
    <div tabIndex={-1} className="close-verbs">
      {actions.map(({ words, wish: own, className }) => (
        <button key={words} type="button" aria-haspopup="dialog" onClick={() => setWish(own)} className={className}>
          {words}
        </button>
      ))}
      {children}
      {wish !== null && (
        <Suspense>
          <CloseDialog wish={wish} people={people} onClose={() => setWish(null)} />
        </Suspense>
      )}
    </div>
  )
}
