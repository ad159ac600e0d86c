import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { setCheck } from '#lib/ledger/rules/change-rules.ts'
import { CHECK_CODES, CHECK_LEVELS, hasTolerance } from '#lib/reconcile/checks/checks.ts'
import { parseTolerance } from '#lib/reconcile/checks/tolerance.ts'
import { waitUntilJudged } from './wait-until-judged.ts'

export const dynamic = 'force-dynamic'

const body = z.object({
  code: z.enum(CHECK_CODES),
  level: z.enum(CHECK_LEVELS),
  tolerance: z.string().max(1000).optional(),
})

/**
 * POST /api/checks {code, level, tolerance: 'EUR 0.05, JPY 1'}: what becomes of a failed check from
 * now on (docs/decisions/026-checks-and-habits.md). A form is sent back to the page, with what it
 * wrote if that cannot be read.
 */
export const POST = writeRoute(
  { may: 'tune-checks', body },
  async ({ session, actor, body: { code, level, tolerance = '' } }) => {
    const amounts = hasTolerance(code) ? parseTolerance(tolerance) : {}
    if (amounts === null) {
      const text = 'Write a tolerance as currency and amount, such as EUR 0.05, JPY 1.'
      return refused(['check', code], 'bad-request', text, { query: new URLSearchParams({ code, level, tolerance }) })
    }
    await setCheck({ organizationId: session.organizationId, actor }, code, { level, tolerance: amounts })
    await waitUntilJudged(session.organizationId)
    return done(['check', code], { code, level, tolerance: amounts })
  },
)
