import { verifyForPeople } from '#lib/audit/verify-for-people.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'

/** POST /api/audit/verify: verifies the newest entries of the chain, and records the report. */
export const POST = writeRoute({ may: 'see-audit' }, async ({ session, actor }) =>
  done('chain', await verifyForPeople(session.organizationId, actor)),
)
