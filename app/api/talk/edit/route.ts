import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { editMessage } from '#lib/talk/write-message.ts'
import { messageId, ofWords, toWriter, toWritten } from '../talk-door.ts'

const body = z
  .object({ message: messageId, version: z.number().int().min(1).max(999), ...ofWords })
  .refine(({ text }) => text !== '')

/** POST /api/talk/edit {message, version, text, mentions}: changes one's own comment. */
export const POST = writeRoute({ may: 'comment', body }, async (call) => {
  const { message, version, text, mentions } = call.body
  const seen = { id: message, version }
  return toWritten(await editMessage(call.session.organizationId, toWriter(call), seen, { text, mentions }))
})
