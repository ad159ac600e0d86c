import * as z from 'zod'
import { freshRoute } from '#lib/auth/doors/account-route.ts'
import { ROLES } from '#lib/auth/permissions.ts'
import { setDefaultRole } from '#lib/directory/role-mapping.ts'
import { toMappingOutcome } from '../mapping-outcome.ts'

const role = z.enum([...ROLES, '']).transform((each) => (each === '' ? null : each))

/** POST /api/settings/directory/default-role {role}: of managed people in no mapped group. */
export const POST = freshRoute(
  { may: 'manage-organization', place: 'directory', body: z.object({ role }) },
  async ({ session, actor, body, now }) =>
    toMappingOutcome(await setDefaultRole(session.organizationId, body.role, actor, now)),
)
