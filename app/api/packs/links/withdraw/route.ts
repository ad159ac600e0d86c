import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { withdrawPackLink } from '#lib/pack/pack-links.ts'
import { toAsker } from '../../pack-door.ts'

/** POST /api/packs/links/withdraw {link}: the link opens nothing any more. */
export const POST = writeRoute({ may: 'share-packs', body: z.object({ link: z.uuid() }) }, async (call) => {
  const isWithdrawn = await withdrawPackLink(call.session.organizationId, call.body.link, toAsker(call))
  return isWithdrawn ? { withdrawn: true } : errorReply(409, 'pack-link-ended', 'This link opens nothing any more.')
})
