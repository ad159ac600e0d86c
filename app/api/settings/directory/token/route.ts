import * as z from 'zod'
import { addDirectoryToken } from '#lib/auth/directory-token.ts'
import { freshRoute } from '#lib/auth/doors/account-route.ts'
import { lineOf } from '#lib/auth/one-line.ts'
import { toOncePage } from '#lib/http/once-page.ts'
import { Outcome, refused } from '#lib/http/outcome.ts'

const body = z.object({
  name: lineOf(80),
  days: z
    .enum(['', '90', '180', '365'])
    .default('')
    .transform((days) => (days === '' ? null : Number(days))),
})

/** POST /api/settings/directory/token {name, days}: makes a token; its secret is the answer. */
export const POST = freshRoute(
  { may: 'manage-organization', place: 'directory', body },
  async ({ session, actor, body: wish, now }) => {
    const secret = await addDirectoryToken(session.organizationId, wish, actor, now)
    if (secret === null) return refused('directory', 'two-tokens', 'Two tokens are active. Revoke one of them first.')
    const page = toOncePage({
      title: 'The token of the directory',
      text: 'Copy it now: it is shown only once.',
      secret,
      back: '/settings#directory',
    })
    return new Outcome(page, { secret })
  },
)
