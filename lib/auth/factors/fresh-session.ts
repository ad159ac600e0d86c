/**
 * Ways to sign in are changed only in a session whose person has just shown who they are: one that
 * began, or had its password typed again, within ten minutes.
 */
import { withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

const FRESH_MS = 10 * 60_000

/** Names a session, and is not usable as it. */
export type SessionName = { organizationId: OrganizationId; sessionIdHash: string }

export function isFreshSession({ organizationId, sessionIdHash }: SessionName, now: Date): Promise<boolean> {
  const since = { gt: new Date(now.getTime() - FRESH_MS) }
  return withTenant(organizationId, async (records) => {
    const fresh = await records.userSession.findFirst({
      where: { organizationId, idHash: sessionIdHash, OR: [{ createdAt: since }, { confirmedAt: since }] },
      select: { idHash: true },
    })
    return fresh !== null
  })
}

/** After the password was typed again in this session. */
export async function refreshSession({ organizationId, sessionIdHash }: SessionName, now: Date): Promise<void> {
  await withTenant(organizationId, (records) =>
    records.userSession.updateMany({ where: { organizationId, idHash: sessionIdHash }, data: { confirmedAt: now } }),
  )
}
