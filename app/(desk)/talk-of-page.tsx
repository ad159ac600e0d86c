import type { ReactNode } from 'react'
import { ChevronRight } from '#components/primitives/icons.tsx'
import { TalkFold } from '#components/talk/talk-fold.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { AppSession } from '#lib/auth/model.ts'
import type { Subject } from '#lib/talk/model.ts'
import { getTalkHead } from '#lib/talk/talk-head.ts'

/** `about`: what is talked of, where the page is about more. */
type TalkOfPageProps = { session: AppSession; subject: Subject; about?: ReactNode }

/**
 * What people say about what a page shows, and who has it, in one line; the rest unfolds. It is
 * open at first for whom a comment names that they have not read.
 */
export async function TalkOfPage({ session: { organizationId, userId }, subject, about }: TalkOfPageProps) {
  const { messageCount, unreadCount, holder } = await getTalkHead(organizationId, userId, subject)
  return (
    <TalkFold subject={subject} isOpenAtFirst={unreadCount > 0}>
      <summary>
        <ChevronRight size={12} className="talk-fold-mark" />
        <span className="font-medium">{messageCount === 0 ? 'No comments yet' : plural(messageCount, 'comment')}</span>
        {about !== undefined && <span className="min-w-0 truncate">{about}</span>}
        <span className="text-ink3">
          {unreadCount > 0 && (unreadCount === 1 ? 'one names you' : `${unreadCount} name you`)}
          {unreadCount > 0 && holder !== null && ' · '}
          {holder !== null && (holder.id === userId ? 'you have it' : <Holder name={holder.name} />)}
        </span>
      </summary>
    </TalkFold>
  )
}

function Holder({ name }: { name: string }) {
  return (
    <>
      <bdi>{name}</bdi> has it
    </>
  )
}
