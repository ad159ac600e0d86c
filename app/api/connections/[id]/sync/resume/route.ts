import { connectionWriteRoute } from '#lib/auth/api-route.ts'
import { toRunControl } from '../run-wishes.ts'

/** Lets a paused sync go on from its place. */
export const POST = connectionWriteRoute({ role: 'finance' }, toRunControl('resume'))
