'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Subject } from '#lib/talk/model.ts'

/** As in TalkSlot, which pages without a list of lines do not have. */
const LoadedTalk = lazy(async () => ({ default: (await import('./talk.client.tsx')).Talk }))

type TalkFoldProps = { subject: Subject; isOpenAtFirst: boolean; children: ReactNode }

/** What people say about something, below its `summary`. It is asked for when it is unfolded. */
export function TalkFold({ subject, isOpenAtFirst, children }: TalkFoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details
      open={isOpenAtFirst}
      // it may have been unfolded while the page loaded
      ref={(element) => {
        if (element?.open) setOpen(true)
      }}
      onToggle={() => setOpen(true)}
      className="talk-fold"
    >
      {children}
      {isOpen && (
        <Suspense>
          <LoadedTalk subject={subject} />
        </Suspense>
      )}
    </details>
  )
}
