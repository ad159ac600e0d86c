import * as z from 'zod'
import { freshRoute } from '#lib/auth/doors/account-route.ts'
import { ROLES } from '#lib/auth/permissions.ts'
import { setGroupRole } from '#lib/directory/role-mapping.ts'
import { toMappingOutcome } from '../mapping-outcome.ts'

const role = z.enum([...ROLES, '']).transform((each) => (each === '' ? null : each))

/** POST /api/settings/directory/group-role {group, role}: the role of its members, at once. */
export const POST = freshRoute(
  { may: 'manage-organization', place: 'directory', body: z.object({ group: z.string().max(64), role }) },
  async ({ session, actor, body, now }) =>
    toMappingOutcome(await setGroupRole(session.organizationId, body, actor, now)),
)
