'use client'

import { useEffect, useState } from 'react'
import { readAnswer } from '#components/query/read-answer.ts'
import { LocalMoment } from '#components/text/local-moment.tsx'
import type { Seen, Subject } from '#lib/talk/model.ts'
import { Initials } from './initials.tsx'
import { toSeenWords } from './seen-words.ts'

/** Who goes past a line with the arrow keys has not looked at it. */
const LOOK_MS = 1000

/** Who has looked at a line, and when. Notes that the reader does, once they stay for a second. */
export function SeenBy({ subject: { connectionId, key }, me }: { subject: Subject; me: string }) {
  const [seen, setSeen] = useState<Seen[] | null>(null)
  useEffect(() => {
    const asked = new AbortController()
    const timer = setTimeout(async () => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ connection: connectionId, id: key }),
      }
      const answer = await readAnswer<{ seen: Seen[] }>('/api/talk/seen', asked.signal, init)
      // a failure hides who looked, and nothing else
      if (answer.status === 'ready') setSeen(answer.value.seen)
    }, LOOK_MS)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [connectionId, key])
  const words = seen === null ? null : toSeenWords(seen, me)
  return (
    // the room of its one line: what is below stays where it is
    <div className="min-h-6 text-[12.5px] text-ink2">
      {seen !== null && words !== null && (
        <details>
          <summary className="w-fit rounded-sm hover:text-ink">
            Seen by{' '}
            {words.names.map((name, at) => (
              <span key={name.id}>
                {at > 0 && (at === words.names.length - 1 && words.further === 0 ? ' and ' : ', ')}
                <bdi>{name.text}</bdi>
              </span>
            ))}
            {words.further > 0 && ` and ${words.further} others`}
          </summary>
          <ul aria-label="Seen by" className="mt-1 mb-2 flex flex-col gap-1">
            {seen.map(({ id, name, initials, at }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-2">
                <Initials text={initials} isMe={id === me} />
                <bdi className="min-w-0 truncate">{id === me ? 'you' : name}</bdi>
                <span className="text-[12px] text-ink3">
                  <LocalMoment at={at} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
