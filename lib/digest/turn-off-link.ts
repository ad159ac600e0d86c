/**
 * The link of a mail that turns the digest off without signing in (RFC 8058). It is signed with the
 * person's own key, which stands in their setting: so the worker can make it, a web server checks
 * it, and it works for as long as the person is there. Whoever has it can do nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { isUuid, type OrganizationId, type UserId } from '#lib/ids.ts'

export type Recipient = { organizationId: OrganizationId; userId: UserId; linkKey: string }

/** What the link says: whose it is, and the signature. */
export function toTurnOffKey({ organizationId, userId, linkKey }: Recipient): string {
  const whose = `${organizationId}.${userId}`
  return `${whose}.${sign(whose, linkKey)}`
}

/** The page that asks before it turns the digest off. */
export function toTurnOffPage(key: string): string {
  return `${settings().appUrl}/unsubscribe?key=${key}`
}

/** Where a mail program posts at one click, and where it leads whoever opens it. */
export function toTurnOffAddress(key: string): string {
  return `${settings().appUrl}/api/digest/off?key=${key}`
}

/**
 * Turns the digest off for whose link it is; `false` when the link is nobody's. One that is off
 * already stays so, and leaves no entry.
 */
export async function turnOffByLink(key: string, network: string, now: Date): Promise<boolean> {
  const [organizationId = '', userId = '', signature = ''] = key.split('.')
  if (!isUuid(organizationId) || !isUuid(userId)) return false
  return withTenantSql(organizationId as OrganizationId, async (sql) => {
    const [found] = await sql<{ linkKey: string; rhythm: string; email: string | null }>(
      `select s.link_key as "linkKey", s.rhythm, u.email from digest_setting s
       join app_user u on u.organization_id = s.organization_id and u.id = s.person_id
       where s.organization_id = $1 and s.person_id = $2 for update of s`,
      [organizationId, userId],
    )
    if (found === undefined || !isSame(signature, sign(`${organizationId}.${userId}`, found.linkKey))) return false
    if (found.rhythm === 'off') return true
    await sql(
      `update digest_setting set rhythm = 'off', chosen_at = $3 where organization_id = $1 and person_id = $2`,
      [organizationId, userId, now],
    )
    const name = found.email ?? ''
    await recordAudit(sql, organizationId as OrganizationId, {
      actor: { kind: 'person', userId: userId as UserId, name, network },
      action: 'people.digest',
      subject: { kind: 'person', id: userId, name },
      before: { digest: found.rhythm },
      after: { digest: 'off', by: 'the link of a mail' },
    })
    return true
  })
}

function sign(whose: string, linkKey: string): string {
  return createHmac('sha256', linkKey).update(`turn off the digest of ${whose}`).digest('base64url')
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
