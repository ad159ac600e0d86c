import * as z from 'zod'
import { refuseStale } from '#lib/auth/account-route.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { addDirectoryToken } from '#lib/auth/directory-token.ts'
import { lineOf } from '#lib/auth/one-line.ts'
import { toOncePage } from '#lib/http/once-page.ts'
import { errorReply, jsonReply, redirectTo } from '#lib/http/replies.ts'

const body = z.object({
  name: lineOf(80),
  days: z
    .enum(['', '90', '180', '365'])
    .default('')
    .transform((days) => (days === '' ? null : Number(days))),
})

/** POST /api/settings/directory/token {name, days}: makes a token; its secret is the answer. */
export const POST = writeRoute({ may: 'manage-organization', body }, async (call) => {
  const stale = await refuseStale(call, 'directory')
  if (stale !== null) return stale
  const { session, actor, isForm, body: wish, now } = call
  const secret = await addDirectoryToken(session.organizationId, wish, actor, now)
  if (secret === null)
    return isForm
      ? redirectTo('/settings?error=directory-two-tokens#directory')
      : errorReply(409, 'two-tokens', 'Two tokens are active. Revoke one of them first.')
  return isForm
    ? toOncePage({
        title: 'The token of the directory',
        text: 'Copy it now: it is shown only once.',
        secret,
        back: '/settings#directory',
      })
    : jsonReply({ secret })
})
