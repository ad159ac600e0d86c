import { readRoute } from '#lib/auth/doors/api-route.ts'
import { listMine } from '#lib/talk/list-mine.ts'

export const dynamic = 'force-dynamic'

/** GET /api/talk/mine: what the person has, and unread comments that name them. */
export const GET = readRoute({ may: 'read' }, ({ session }) => listMine(session.organizationId, session.userId))
