import { organizationFormats, setOrganizationFormats } from '#lib/auth/account/own-formats.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'

/** POST /api/settings/formats {numberFormat, dateFormat, timeZone}: what people see at first. */
export const POST = writeRoute(
  { may: 'manage-organization', body: organizationFormats },
  async ({ session, actor, body }) => {
    await setOrganizationFormats(session.organizationId, body, actor)
    return done('default-formats', body, { said: 'saved' })
  },
)
