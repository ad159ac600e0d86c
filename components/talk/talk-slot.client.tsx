'use client'

import { lazy, Suspense } from 'react'
import type { TalkOf } from './activity.ts'

/** Its code loads with the first subject that is looked at: no page waits for it. */
const LoadedTalk = lazy(async () => ({ default: (await import('./talk.client.tsx')).Talk }))

/** The place of who has something, of what people say about it, and of what happened to it. */
export function TalkSlot(own: TalkOf) {
  return (
    <Suspense>
      <LoadedTalk {...own} />
    </Suspense>
  )
}
