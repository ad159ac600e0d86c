import * as z from 'zod'
import { refuseStale } from '#lib/auth/account-route.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { SSO_MODES } from '#lib/auth/sso/model.ts'
import { saveMode } from '#lib/auth/sso/sso-settings.ts'
import { redirectTo } from '#lib/http/replies.ts'
import { isUuid } from '#lib/ids.ts'

/** A checkbox per admin: `admin.<id>`. */
const NAMED = 'admin.'

/** POST /api/settings/single-sign-on/mode {mode, admin.<id>}: who has to use single sign-on. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.looseObject({ mode: z.enum(SSO_MODES) }) },
  async (call) => {
    const stale = await refuseStale(call, 'single-sign-on')
    if (stale !== null) return stale
    const { session, actor, now, body } = call
    const { mode, ...fields } = body
    const breakGlass = Object.keys(fields)
      .filter((name) => name.startsWith(NAMED))
      .map((name) => name.slice(NAMED.length))
      .filter(isUuid)
    const refusal = await saveMode(session.organizationId, { mode, breakGlass }, actor, now)
    const outcome: Record<string, string> = refusal === null ? { said: 'sso_mode' } : { error: `sso_${refusal}` }
    return redirectTo(`/settings?${new URLSearchParams(outcome)}#single-sign-on`)
  },
)
