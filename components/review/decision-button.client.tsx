'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import type { AskedOf } from './decision-flow.ts'

const DecisionDialog = lazy(async () => ({
  default: (await import('./decision-dialog.client.tsx')).DecisionDialog,
}))

type DecisionButtonProps = {
  asked: AskedOf
  /** What is read aloud, where the text says too little by itself. */
  label?: string
  children: string
}

/** Decides about what is asked, after a look at what that would do. */
export function DecisionButton({ asked, label, children }: DecisionButtonProps) {
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-label={label} onClick={() => setOpen(true)} className={buttonClass({ size: 'small' })}>
        {children}
      </button>
      {isOpen && (
        <Suspense>
          <DecisionDialog
            asked={asked}
            isQuick={false}
            onClose={() => setOpen(false)}
            onDone={() => {
              setOpen(false)
              router.refresh()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Leaves the rest of a decision that is under way. */
export function StopDecision({ number }: { number: string }) {
  const router = useRouter()
  const [text, setText] = useState<string | null>(null)
  const stop = async () => {
    const answer = await readAnswer('/api/review/stop', undefined, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number }),
    })
    if (answer.status === 'failed') setText(answer.text)
    router.refresh()
  }
  return (
    <>
      <button type="button" onClick={stop} className={buttonClass({ size: 'small' })}>
        Stop
      </button>
      {text !== null && <span role="alert">{text}</span>}
    </>
  )
}
