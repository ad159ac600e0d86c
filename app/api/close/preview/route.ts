import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { previewSignOff } from '#lib/ledger/close/sign-off.ts'
import { SIGN_STEPS } from '#lib/reconcile/close/close-state.ts'
import { scope } from '../close-request.ts'

export const dynamic = 'force-dynamic'

/** POST /api/close/preview {scope, step}: what would be signed, as of now, and its seal. */
export const POST = writeRoute(
  { may: 'read', kind: 'rows', body: z.object({ scope, step: z.enum(SIGN_STEPS) }) },
  ({ session, body }) => previewSignOff(session.organizationId, body.scope, body.step, session.userId),
)
