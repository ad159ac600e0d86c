'use client'

import { useEffect, useRef, useState } from 'react'
import { formatMoment } from '#lib/reconcile/moment.ts'
import type { Message, Person } from '#lib/talk/model.ts'
import { CommentText } from './comment-text.tsx'
import { Composer } from './composer.client.tsx'
import { Initials } from './initials.tsx'
import { MessageFiles } from './message-files.client.tsx'
import { QuotedFigure } from './quoted-figure.tsx'
import { sendTalk } from './use-talk.client.tsx'

type CommentProps = {
  message: Message
  me: string
  mayComment: boolean
  people: Person[]
  onChanged: () => Promise<void>
}

/** One comment. Its author can let it say something else; what it said is under “edited”. */
export function Comment({ message, me, mayComment, people, onChanged }: CommentProps) {
  const [isEditing, setEditing] = useState(false)
  const { authorId, authorName, initials, at, text, quote, mentions, version, former, files } = message
  const isMine = authorId === me
  // who was named before can still be named, wherever they are now
  const named = mentions.map(({ id, name }) => ({ id, name, initials: '', mayHave: false }))
  const nameable = [...named, ...people.filter(({ id }) => !mentions.some((each) => each.id === id))]
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  return (
    <li data-comment className="flex gap-2.5">
      <Initials text={initials} isMe={isMine} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-[12.5px]">
          <bdi className="font-medium">{authorName}</bdi>
          <Moment at={at} />
          {isMine && mayComment && !isEditing && (
            <button
              ref={button}
              type="button"
              onClick={() => setEditing(true)}
              className="-my-1 rounded-sm px-1 py-1 text-ink2 underline-offset-2 hover:underline"
            >
              Edit<span className="sr-only"> your comment of {formatMoment(at)}</span>
            </button>
          )}
        </p>
        {quote !== null && (
          <p className="my-1 border-l-2 border-line2 pl-2 text-[12.5px] text-ink2">
            <QuotedFigure quote={quote} />
          </p>
        )}
        {isEditing ? (
          <Composer
            label="Your comment"
            verb="Save"
            people={nameable}
            begun={{ text, mentions: mentions.map(({ id }) => id) }}
            onCancel={() => setEditing(false)}
            send={async (words) => {
              const refused = await sendTalk('/api/talk/edit', {
                message: message.id,
                version,
                text: words.text,
                mentions: words.mentions,
              })
              if (refused !== null) return refused
              await onChanged()
              setEditing(false)
              return null
            }}
          />
        ) : (
          text !== '' && <CommentText text={text} mentions={mentions} me={me} />
        )}
        <MessageFiles files={files} author={authorName} mayRemove={isMine && mayComment} onChanged={onChanged} />
        {former.length > 0 && (
          <details className="text-[12px] text-ink3">
            <summary className="w-fit rounded-sm py-0.5 hover:text-ink">
              edited <Moment at={message.editedAt ?? at} />
            </summary>
            <ol className="mt-1 flex flex-col gap-1.5 border-l border-line2 pl-2">
              {former.map((version) => (
                <li key={version.at}>
                  <Moment at={version.at} /> it said:
                  <CommentText text={version.text} mentions={mentions} me={me} />
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
    </li>
  )
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at, { withZone: true })} className="text-[12px] text-ink3">
      {formatMoment(at)}
    </time>
  )
}
