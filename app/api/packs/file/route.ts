import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { openPack } from '#lib/pack/ask-pack.ts'
import { noSuchPack, toPackReply } from '../pack-door.ts'

/** POST /api/packs/file {pack}: a pack that is made. The audit has who took it. */
export const POST = writeRoute(
  { may: 'export', kind: 'document', body: z.object({ pack: z.uuid() }) },
  async ({ session, actor, body: { pack } }) => {
    const opened = await openPack(session.organizationId, pack, actor)
    return opened === null ? noSuchPack() : toPackReply(opened)
  },
)
