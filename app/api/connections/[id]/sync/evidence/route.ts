import { connectionReadRoute } from '#lib/auth/doors/api-route.ts'
import { listEvidence } from '#lib/sync/pages/keep-evidence.ts'

/**
 * The platform's answers that broke its interface, masked: `{evidence: Evidence[]}`, newest first.
 * For admins.
 */
export const GET = connectionReadRoute({ may: 'see-evidence' }, async ({ session, connection }) => ({
  evidence: await listEvidence(session.organizationId, connection.id),
}))
