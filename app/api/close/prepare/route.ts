import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { replySigned, signBody } from '../close-request.ts'

export const dynamic = 'force-dynamic'

/** POST /api/close/prepare: signs exactly what the preview showed. */
export const POST = writeRoute({ may: 'prepare', body: signBody }, ({ session, actor, body }) =>
  replySigned(session, actor, 'prepared', body),
)
