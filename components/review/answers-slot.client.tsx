'use client'

import { lazy, Suspense } from 'react'

/** Only the disputed lines have answers: other tabs need none of it. */
const DisputeAnswers = lazy(async () => ({
  default: (await import('./disputes/dispute-answers.client.tsx')).DisputeAnswers,
}))

/** Where the answers to disputes come. */
export function AnswersSlot({ mayDecide }: { mayDecide: boolean }) {
  return (
    <Suspense>
      <DisputeAnswers mayDecide={mayDecide} />
    </Suspense>
  )
}
