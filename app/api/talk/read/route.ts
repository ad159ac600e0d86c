import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { markRead } from '#lib/talk/list-mine.ts'
import { ofSubject, toSubject } from '../talk-door.ts'

/** POST /api/talk/read {kind, key, connection}: the person has seen the comments that name them. */
export const POST = writeRoute({ may: 'read', body: z.object(ofSubject) }, async ({ session, body }) => {
  const subject = toSubject(body)
  if (subject !== null) await markRead(session.organizationId, session.userId, subject)
  return { done: true }
})
