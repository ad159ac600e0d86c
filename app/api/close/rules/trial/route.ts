import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { askForTrial } from '#lib/ledger/certify/keep-rules.ts'
import { firstDayOf } from '#lib/reconcile/close/scope.ts'

export const dynamic = 'force-dynamic'

const month = z.string().refine((text) => firstDayOf(text) !== null)
const body = z
  .object({ rule: z.uuid(), version: z.coerce.number().int().min(1).max(99_999), from: month, to: month })
  .refine(({ from, to }) => from <= to)

/**
 * POST /api/close/rules/trial {rule, version, from, to}: asks a worker to replay a version over the
 * months of issue, written `YYYY-MM`.
 */
export const POST = writeRoute({ may: 'keep-rules', body }, async ({ session, actor, body }) => {
  const who = { organizationId: session.organizationId, actor, name: session.name }
  const trial = await askForTrial(who, body)
  return trial === null
    ? refused('rules', 'gone', 'There is no such rule.')
    : done('rules', { trial }, { said: 'tried' })
})
