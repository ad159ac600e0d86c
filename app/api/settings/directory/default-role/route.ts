import * as z from 'zod'
import { refuseStale } from '#lib/auth/account-route.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { ROLES } from '#lib/auth/permissions.ts'
import { setDefaultRole } from '#lib/directory/role-mapping.ts'
import { toMappingReply } from '../mapping-reply.ts'

const role = z.enum([...ROLES, '']).transform((each) => (each === '' ? null : each))

/** POST /api/settings/directory/default-role {role}: of managed people in no mapped group. */
export const POST = writeRoute({ may: 'manage-organization', body: z.object({ role }) }, async (call) => {
  const { session, actor, isForm, body, now } = call
  return (
    (await refuseStale(call, 'directory')) ??
    toMappingReply(await setDefaultRole(session.organizationId, body.role, actor, now), isForm)
  )
})
