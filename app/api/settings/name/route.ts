import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { oneLine } from '#lib/auth/one-line.ts'
import { renameOrganization } from '#lib/auth/people/organizations.ts'
import { done } from '#lib/http/outcome.ts'

/** POST /api/settings/name {name}: the organization's name, as everybody sees it. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.object({ name: oneLine }) },
  async ({ session, actor, body }) => {
    await renameOrganization(session.organizationId, body.name, actor)
    return done('organization', body, { said: 'name' })
  },
)
