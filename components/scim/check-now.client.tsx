'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Refresh } from '#components/primitives/icons.tsx'
import { readAnswer } from '#components/query/read-answer.ts'
import type { ConnectionId } from '#lib/ids.ts'

type CheckNowProps = { connectionId: ConnectionId; isUnderWay: boolean }

/** Checks the three endpoints again; a plain form without scripts. */
export function CheckNow({ connectionId, isUnderWay }: CheckNowProps) {
  const router = useRouter()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const isBusy = isUnderWay || isAsking
  const address = `/api/connections/${connectionId}/scim/check`

  const check = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setAsking(true)
    setFailure(null)
    const answer = await readAnswer(address, undefined, { method: 'POST' })
    if (answer.status === 'failed')
      setFailure(`${answer.text}${answer.reference ? ` Reference ${answer.reference}.` : ''}`)
    if (answer.status === 'missing') setFailure('This connection is no longer there. Reload the page.')
    setAsking(false)
    router.refresh()
  }

  return (
    <form method="post" action={address} onSubmit={check} className="flex items-center gap-2">
      {failure !== null && (
        <span role="alert" className="max-w-60 text-[12px] text-bad leading-4">
          {failure}
        </span>
      )}
      <button type="submit" aria-disabled={isBusy} className={buttonClass({ look: 'primary' })}>
        <Refresh size={15} />
        Check now
      </button>
    </form>
  )
}
