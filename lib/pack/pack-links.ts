/** Links that open one pack for somebody who has no account here. */
import { createHash, randomBytes } from 'node:crypto'
import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { type OpenedPack, readPack } from './ask-pack.ts'

/** What a link holds: the organization and 32 random bytes, with a point between. */
type PackKey = string

/** Open links to one pack at a time. */
const MOST_OPEN = 10

const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** `too-many`: open ones have to be withdrawn first. */
export type MadeLink = { kind: 'made'; address: string; id: string } | { kind: 'missing' | 'too-many' }

/**
 * A link to a pack that is made, for so many days. Its secret stands behind the `#` of the address,
 * which no server and no log sees, and only its hash is kept.
 */
export function makePackLink(
  organizationId: OrganizationId,
  { pack, days }: { pack: string; days: number },
  { actor, name }: { actor: Actor; name: string },
): Promise<MadeLink> {
  const secret = randomBytes(32).toString('base64url')
  return withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<{ openLinks: number }>(
      `select (select count(*)::int from pack_link l where l.organization_id = p.organization_id and l.pack_id = p.id
         and l.withdrawn_at is null and l.expires_at > statement_timestamp()) as "openLinks"
       from pack p where organization_id = $1 and id = $2 and state = 'made'`,
      [organizationId, pack],
    )
    if (row === undefined) return { kind: 'missing' }
    if (row.openLinks >= MOST_OPEN) return { kind: 'too-many' }
    const [link] = await sql<{ id: string; expiresAt: Date }>(
      `insert into pack_link (organization_id, pack_id, secret_hash, made_by, made_by_name, expires_at)
       values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(days => $6)) returning id, expires_at as "expiresAt"`,
      [organizationId, pack, hashSecret(secret), userIdOf(actor), name, days],
    )
    const id = link?.id as string
    const after = { link: id, until: link?.expiresAt.toISOString() }
    await recordAudit(sql, organizationId, {
      actor,
      action: 'pack.link-made',
      subject: { kind: 'pack', id: pack },
      after,
    })
    return { kind: 'made', id, address: `${settings().appUrl}/pack#${organizationId}.${secret}` }
  })
}

/** Ends a link; false where it has ended, or never was. */
export function withdrawPackLink(
  organizationId: OrganizationId,
  id: string,
  { actor, name }: { actor: Actor; name: string },
): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const [link] = await sql<{ pack: string }>(
      `update pack_link set withdrawn_at = statement_timestamp(), withdrawn_by_name = $3
       where organization_id = $1 and id = $2 and withdrawn_at is null and expires_at > statement_timestamp() returning pack_id as pack`,
      [organizationId, id, name],
    )
    if (link === undefined) return false
    const subject = { kind: 'pack', id: link.pack }
    await recordAudit(sql, organizationId, { actor, action: 'pack.link-withdrawn', subject, after: { link: id } })
    return true
  })
}

/**
 * The pack that a key opens; null for one that is unknown, withdrawn or too old, which look alike.
 * Each opening is in the audit of the organization, before the bytes leave.
 */
export async function openPackLink(key: PackKey, network: string | null): Promise<OpenedPack | null> {
  const [organization = '', secret = ''] = key.split('.')
  if (!isUuid(organization) || !/^[\w-]{43}$/.test(secret)) return null
  const organizationId = organization as OrganizationId
  return withTenantSql(organizationId, async (sql) => {
    const [link] = await sql<{ id: string; pack: string }>(
      `update pack_link set opened_at = statement_timestamp(), open_count = open_count + 1
       where organization_id = $1 and secret_hash = $2 and withdrawn_at is null and expires_at > statement_timestamp()
       returning id, pack_id as pack`,
      [organizationId, hashSecret(secret)],
    )
    const opened = link === undefined ? null : await readPack(sql, organizationId, link.pack)
    if (link === undefined || opened === null) return null
    await recordAudit(sql, organizationId, {
      actor: { kind: 'program', name: 'web' },
      action: 'pack.link-opened',
      subject: { kind: 'pack', id: link.pack, name: opened.name },
      after: { link: link.id, network, sha256: opened.sha256 },
    })
    return opened
  })
}
