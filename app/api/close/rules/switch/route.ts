import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { switchRule } from '#lib/ledger/certify/keep-rules.ts'
import { replyRuleRefused } from '../rule-request.ts'

export const dynamic = 'force-dynamic'

const body = z.object({
  rule: z.uuid(),
  trial: z
    .string()
    .regex(/^[1-8]?\d{1,18}$/)
    .optional(),
})

/**
 * POST /api/close/rules/switch {rule, trial}: turns on the version that the trial was of, instead
 * of any other. {rule}: turns the rule off.
 */
export const POST = writeRoute({ may: 'keep-rules', body }, async ({ session, actor, body: { rule, trial } }) => {
  const who = { organizationId: session.organizationId, actor, name: session.name }
  try {
    const isSwitched = await switchRule(who, rule, trial ?? null)
    return isSwitched
      ? done('rules', { rule, isOn: trial !== undefined }, { said: trial === undefined ? 'off' : 'on' })
      : refused('rules', 'gone', 'There is no such rule or trial.')
  } catch (error) {
    return replyRuleRefused(error)
  }
})
