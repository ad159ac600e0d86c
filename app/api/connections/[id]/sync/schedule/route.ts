import * as z from 'zod'
import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { LOOK_BACK_INTERVALS, SYNC_INTERVALS, VERIFY_INTERVALS } from '#lib/connections/model.ts'
import { done } from '#lib/http/outcome.ts'
import { setSyncSchedule } from '#lib/sync/runs/next-sync.ts'

/**
 * A form sends digits, a script a number. Values that only convert to a number (a list, `0x3c`) are
 * refused.
 */
const oneOf = <Choice extends number>(choices: readonly Choice[]) =>
  z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.literal(choices))
const body = z
  .object({
    minutes: oneOf(SYNC_INTERVALS).optional(),
    lookBackHours: oneOf(LOOK_BACK_INTERVALS).optional(),
    verifyDays: oneOf(VERIFY_INTERVALS).optional(),
  })
  .refine((schedule) => Object.values(schedule).some((value) => value !== undefined))

/**
 * Sets how often the account syncs, and how often recent lines and everything are read again; what
 * is left out stays.
 */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, connection, body }) => {
    const { organizationId } = session
    await setSyncSchedule({ organizationId, connectionId: connection.id }, body, actor)
    return done(['connection', connection.id], body)
  },
)
