import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { toRunControl } from '../run-wishes.ts'

/** Pauses the connection's sync; it keeps its place. */
export const POST = connectionWriteRoute({ may: 'sync' }, toRunControl('pause'))
