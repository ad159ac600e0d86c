import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { toRunControl } from '../run-wishes.ts'

/** Resumes a paused sync from its place. */
export const POST = connectionWriteRoute({ may: 'sync' }, toRunControl('resume'))
