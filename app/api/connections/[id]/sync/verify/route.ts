import { connectionWriteRoute } from '#lib/auth/api-route.ts'
import { toSyncWish } from '../run-wishes.ts'

/** Has everything read again, to compare it with what is held. */
export const POST = connectionWriteRoute({ role: 'finance' }, toSyncWish('verification'))
