import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { LINK_DAYS } from '#lib/pack/model.ts'
import { makePackLink } from '#lib/pack/pack-links.ts'
import { noSuchPack, toAsker } from '../pack-door.ts'

const body = z.object({ pack: z.uuid(), days: z.literal(LINK_DAYS) })

/**
 * POST /api/packs/links {pack, days}: a link that opens the pack, in this answer and never again.
 */
export const POST = writeRoute({ may: 'share-packs', body }, async (call) => {
  const made = await makePackLink(call.session.organizationId, call.body, toAsker(call))
  if (made.kind === 'made') return { link: made.address, id: made.id }
  return made.kind === 'missing'
    ? noSuchPack()
    : errorReply(409, 'pack-links', 'There are ten open links to this pack already. Withdraw one first.')
})
