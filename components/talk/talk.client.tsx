'use client'

import type { TalkOf } from './activity.ts'
import { AssignedTo } from './assigned-to.client.tsx'
import { Thread } from './thread.client.tsx'

/** Who has something, what people say about it, and what happened to it. */
export function Talk(own: TalkOf) {
  return (
    <>
      <AssignedTo subject={own.subject} />
      <Thread {...own} />
    </>
  )
}
