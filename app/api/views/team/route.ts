import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { keepings, keepViews } from '../keep-views.ts'

/** POST /api/views/team {action, list, search, …}: as /api/views, of what everybody has. */
export const POST = writeRoute({ may: 'share-views', body: z.discriminatedUnion('action', keepings) }, (call) =>
  keepViews(call, null, call.body),
)
