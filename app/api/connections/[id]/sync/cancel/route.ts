import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { toRunControl } from '../run-wishes.ts'

/** Cancels the connection's sync; what has arrived is kept. */
export const POST = connectionWriteRoute({ may: 'sync' }, toRunControl('cancel'))
