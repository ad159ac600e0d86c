import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { replySigned, signBody } from '../close-request.ts'

export const dynamic = 'force-dynamic'

/** POST /api/close/approve: signs exactly what the preview showed. */
export const POST = writeRoute({ may: 'approve', body: signBody }, ({ session, actor, body }) =>
  replySigned(session, actor, 'approved', body),
)
