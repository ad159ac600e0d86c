import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { toSyncWish } from '../run-wishes.ts'

/** Reads everything again and compares it with what is held. */
export const POST = connectionWriteRoute({ may: 'sync' }, toSyncWish('verification'))
