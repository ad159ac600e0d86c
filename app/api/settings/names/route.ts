import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'
import { setFoldsNames } from '#lib/ledger/kept/name-looks/fold-names.ts'

/** POST /api/settings/names {foldsNames: 'on' or nothing}: whether look-alikes count as one. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.object({ foldsNames: z.literal('on').optional() }) },
  async ({ session, actor, body }) => {
    await setFoldsNames(session.organizationId, body.foldsNames === 'on', actor)
    return done('names', body, { said: 'saved' })
  },
)
