import * as z from 'zod'
import { freshRoute } from '#lib/auth/doors/account-route.ts'
import { SSO_MODES } from '#lib/auth/sso/model.ts'
import { saveMode } from '#lib/auth/sso/sso-settings.ts'
import { landAt } from '#lib/http/outcome.ts'
import { isUuid } from '#lib/ids.ts'

/** A checkbox per admin: `admin.<id>`. */
const NAMED = 'admin.'

/** POST /api/settings/single-sign-on/mode {mode, admin.<id>}: who has to use single sign-on. */
export const POST = freshRoute(
  { may: 'manage-organization', place: 'single-sign-on', body: z.looseObject({ mode: z.enum(SSO_MODES) }) },
  async ({ session, actor, now, body: { mode, ...fields } }) => {
    const breakGlass = Object.keys(fields)
      .filter((name) => name.startsWith(NAMED))
      .map((name) => name.slice(NAMED.length))
      .filter(isUuid)
    const refusal = await saveMode(session.organizationId, { mode, breakGlass }, actor, now)
    return landAt('single-sign-on', refusal === null ? { said: 'mode' } : { error: refusal })
  },
)
