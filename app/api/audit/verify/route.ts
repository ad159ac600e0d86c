import { verifyForPeople } from '#lib/audit/verify-for-people.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { redirectTo } from '#lib/http/replies.ts'

/**
 * POST /api/audit/verify: verifies the newest entries of the chain and records what came of it. A
 * form is sent back to the page, a script gets `ChainReport`.
 */
export const POST = writeRoute({ may: 'see-audit' }, async ({ session, actor, isForm }) => {
  const report = await verifyForPeople(session.organizationId, actor)
  return isForm ? redirectTo('/audit#chain') : report
})
