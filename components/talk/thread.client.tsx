'use client'

import { type ReactNode, useEffect, useId, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { plural } from '#components/text/plural.ts'
import { type Happening, type TalkOf, toNewestFirst } from './activity.ts'
import { Comment } from './comment.client.tsx'
import { Composer } from './composer.client.tsx'
import { keepDraft, readDraft } from './draft.ts'
import { SeenBy } from './seen-by.client.tsx'
import { sendTalk, type Talk, toBody, useTalk } from './use-talk.client.tsx'

/** What people say about something, and a field to say more. Asks for all of it by itself. */
export function Thread({ subject, quote, happenings }: TalkOf) {
  const { text, state, reload } = useTalk(subject)
  const id = useId()
  // below a panel's title, or a page's history; else right below a page's title
  const Heading = subject.kind === 'line' || subject.kind === 'invoice' ? 'h3' : 'h2'
  const others = toNewestFirst(happenings ?? []).map(toItem)
  return (
    <section aria-labelledby={id} className="mt-4">
      <Heading id={id} className="mb-1 font-medium text-[12px] text-ink3">
        {happenings === undefined ? 'Comments' : 'Activity'}
        {state.status === 'ready' && state.value.messages.length > 0 && (
          <span className="ml-1.5">
            {happenings === undefined
              ? state.value.messages.length + state.value.earlierCount
              : plural(state.value.messages.length + state.value.earlierCount, 'comment')}
          </span>
        )}
      </Heading>
      {state.status === 'loading' && <p className="min-h-6 text-[13px] text-ink3">Loading the comments…</p>}
      {state.status === 'missing' && <p className="text-[13px] text-ink2">There is nothing to talk about here.</p>}
      {state.status === 'failed' && (
        <div role="alert" className="text-[13px]">
          <p className="text-ink2">
            The comments could not be loaded. {state.text}
            {state.reference && ` Reference ${state.reference}.`}
          </p>
          <button type="button" onClick={() => void reload()} className={`${buttonClass()} mt-2`}>
            Try again
          </button>
        </div>
      )}
      {state.status === 'ready' ? (
        <Comments key={text} text={text} talk={state.value} reload={reload} {...{ subject, quote, happenings }} />
      ) : (
        <Items items={others} />
      )}
    </section>
  )
}

type CommentsProps = TalkOf & { text: string; talk: Talk; reload: () => Promise<void> }

function Comments({ text, talk, subject, quote, happenings, reload }: CommentsProps) {
  const { messages, earlierCount, people, unreadCount, me, may } = talk
  const [said, setSaid] = useState('')
  const [draft] = useState(() => readDraft(me, text))

  const body = JSON.stringify(toBody(subject))
  useEffect(() => {
    // a failure leaves them unread, which costs another look
    if (unreadCount > 0) void sendTalk('/api/talk/read', JSON.parse(body))
  }, [unreadCount, body])

  const comments = messages.map((message) => ({
    key: message.id,
    at: message.at,
    item: (
      <Comment
        key={message.id}
        message={message}
        me={me}
        mayComment={may.comment}
        people={people}
        onChanged={async () => {
          await reload()
          setSaid('The comment was changed.')
        }}
      />
    ),
  }))

  return (
    <>
      {subject.kind === 'line' && <SeenBy subject={subject} me={me} />}
      {may.comment ? (
        <Composer
          label="Write a comment"
          verb="Send"
          people={people.filter((person) => person.id !== me)}
          begun={{ text: draft, mentions: [] }}
          quote={quote}
          mayAttach
          onText={(typed) => keepDraft(me, text, typed)}
          send={async (words) => {
            const refused = await sendTalk('/api/talk', { ...toBody(subject), ...words })
            if (refused !== null) return refused
            keepDraft(me, text, '')
            await reload()
            setSaid('The comment was sent.')
            return null
          }}
        />
      ) : (
        messages.length === 0 && <p className="text-[13px] text-ink2">Nobody has said anything yet.</p>
      )}
      <Items items={toNewestFirst([...comments.toReversed(), ...(happenings ?? []).map(toItem)])} />
      {earlierCount > 0 && (
        <p className="mt-2 text-[12px] text-ink3">{plural(earlierCount, 'earlier comment')} not shown</p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

type Item = { key: string; at: string; item: ReactNode }

/** Beside the initials of those who comment. */
function toItem({ key, at, node }: Happening): Item {
  const item = (
    <li key={key} className="flex gap-2.5 text-ink2">
      <span aria-hidden className="flex h-5 w-[22px] shrink-0 items-center justify-center">
        <span className="size-1.5 rounded-full bg-line2" />
      </span>
      <div className="min-w-0 flex-1">{node}</div>
    </li>
  )
  return { key, at, item }
}

function Items({ items }: { items: Item[] }) {
  if (items.length === 0) return null
  return <ol className="mt-3 flex flex-col gap-3 text-[13px]">{items.map(({ item }) => item)}</ol>
}
