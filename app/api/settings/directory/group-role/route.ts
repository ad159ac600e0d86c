import * as z from 'zod'
import { refuseStale } from '#lib/auth/account-route.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { ROLES } from '#lib/auth/permissions.ts'
import { setGroupRole } from '#lib/directory/role-mapping.ts'
import { toMappingReply } from '../mapping-reply.ts'

const role = z.enum([...ROLES, '']).transform((each) => (each === '' ? null : each))

/** POST /api/settings/directory/group-role {group, role}: the role of its members, at once. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.object({ group: z.string().max(64), role }) },
  async (call) => {
    const { session, actor, isForm, body, now } = call
    return (
      (await refuseStale(call, 'directory')) ??
      toMappingReply(await setGroupRole(session.organizationId, body, actor, now), isForm)
    )
  },
)
