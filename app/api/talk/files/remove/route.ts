import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { removeFile } from '#lib/talk/message-files.ts'
import { fileId, noSuchFile, toWriter } from '../../talk-door.ts'

/** POST /api/talk/files/remove {file}: takes a file out of a comment of one's own, for good. */
export const POST = writeRoute({ may: 'comment', body: z.object({ file: fileId }) }, async (call) => {
  const removed = await removeFile(call.session.organizationId, toWriter(call), call.body.file)
  if (removed.kind === 'gone') return noSuchFile()
  if (removed.kind === 'not-own')
    return errorReply(409, 'file-not-own', 'Only who attached a file removes it. Ask them, or say so in a comment.')
  return { done: true }
})
