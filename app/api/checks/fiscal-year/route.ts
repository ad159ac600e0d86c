import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'
import { setFiscalMonth } from '#lib/ledger/rules/fiscal-year.ts'

/** A form sends digits, a script a number. */
const month = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(1).max(12))

/** POST /api/checks/fiscal-year {month}: with which month the fiscal year begins, 1 to 12. */
export const POST = writeRoute({ may: 'tune-checks', body: z.object({ month }) }, async ({ session, actor, body }) => {
  await setFiscalMonth(session.organizationId, body.month, actor)
  return done('fiscal-year', body)
})
