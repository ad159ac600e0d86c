import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'
import { letRulesApprove } from '#lib/ledger/certify/keep-rules.ts'

export const dynamic = 'force-dynamic'

const body = z.object({ allowed: z.enum(['yes', 'no']) })

/** POST /api/close/rules/approving {allowed: yes | no}: whether rules may approve. */
export const POST = writeRoute({ may: 'let-rules-approve', body }, async ({ session, actor, body: { allowed } }) => {
  const who = { organizationId: session.organizationId, actor, name: session.name }
  await letRulesApprove(who, allowed === 'yes')
  return done('rules', { allowed }, { said: 'approving' })
})
