/**
 * What a company directory shows to get in: a secret of 256 bits, shown once, of which only the
 * hash is stored. Two may be active at a time, so that one can be replaced without a gap.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import type { Records } from '#lib/db/records.ts'
import { withSystemSql, withTenant } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'

const MAX_ACTIVE = 2
const PREFIX = 'tie_scim_'
const SPELLING = /^tie_scim_[0-9A-Za-z]{43}$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DAY_MS = 24 * 3_600_000
/** How stale `last_used_at` may get: one write per minute and token, not one per request. */
const USED_EVERY_MS = 60_000

/** The directory behind a request. */
export type Directory = { organizationId: OrganizationId; tokenId: string; name: string }

export type DirectoryToken = {
  id: string
  name: string
  createdByName: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  isExpired: boolean
}

/** Prefix and 43 digits of base 62: every 256 bits have one spelling. */
function makeToken(): string {
  let left = BigInt(`0x${randomBytes(32).toString('hex')}`)
  let digits = ''
  for (let place = 0; place < 43; place++) {
    digits = DIGITS[Number(left % 62n)] + digits
    left /= 62n
  }
  return PREFIX + digits
}

/**
 * Makes a token and returns its secret, which nobody can read again. Null, with nothing changed,
 * when two are active. `days`: how long it holds; null: until it is revoked.
 */
export function addDirectoryToken(
  organizationId: OrganizationId,
  { name, days }: { name: string; days: number | null },
  actor: Actor,
  now: Date,
): Promise<string | null> {
  const token = makeToken()
  const expiresAt = days === null ? null : new Date(now.getTime() + days * DAY_MS)
  return withTenant(organizationId, async (records, sql) => {
    // without the lock, two admins at once would make a third
    await sql('select from organization where id = $1 for no key update', [organizationId])
    if ((await readActive(records, organizationId)).filter((each) => isLive(each, now)).length >= MAX_ACTIVE)
      return null
    const { id } = await records.directoryToken.create({
      data: { organizationId, name, hash: hashSecret(token), createdByName: actor.name, createdAt: now, expiresAt },
      select: { id: true },
    })
    const subject = { kind: 'directory-token', id, name }
    await recordAudit(sql, organizationId, { actor, action: 'directory.token-made', subject, after: { expiresAt } })
    return token
  })
}

/** Ends a token at once. Revoking one that has ended, or that there is not, changes nothing. */
export async function revokeDirectoryToken(
  organizationId: OrganizationId,
  id: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  if (!isUuid(id)) return
  await withTenant(organizationId, async (records, sql) => {
    const [ended] = await records.directoryToken.updateManyAndReturn({
      where: { organizationId, id, revokedAt: null },
      data: { revokedAt: now },
      select: { name: true },
    })
    if (ended === undefined) return
    const subject = { kind: 'directory-token', id, name: ended.name }
    await recordAudit(sql, organizationId, { actor, action: 'directory.token-revoked', subject })
  })
}

/** Tokens that nobody has revoked, oldest first. */
export function listDirectoryTokens(organizationId: OrganizationId, now: Date): Promise<DirectoryToken[]> {
  return withTenant(organizationId, async (records) =>
    (await readActive(records, organizationId)).map((each) => ({ ...each, isExpired: !isLive(each, now) })),
  )
}

type Stored = Omit<DirectoryToken, 'isExpired'>

function readActive(records: Records, organizationId: OrganizationId): Promise<Stored[]> {
  return records.directoryToken.findMany({
    where: { organizationId, revokedAt: null },
    omit: { organizationId: true, hash: true, revokedAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

function isLive({ expiresAt }: { expiresAt: Date | null }, now: Date): boolean {
  return expiresAt === null || expiresAt > now
}

/** The directory with this token, or null: unknown, revoked, expired, or no token at all. */
export async function findDirectory(token: string, now: Date): Promise<Directory | null> {
  if (!SPELLING.test(token)) return null
  const hash = hashSecret(token)
  return withSystemSql(async (sql) => {
    const [found] = await sql<Directory & { hash: string; lastUsedAt: Date | null }>(
      `select organization_id as "organizationId", id as "tokenId", name, hash, last_used_at as "lastUsedAt"
       from directory_token where hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
      [hash, now],
    )
    // the index finds by hash, whose bytes tell nothing of the token; what decides takes equal time
    if (found === undefined || !timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash))) return null
    const { organizationId, tokenId, name, lastUsedAt } = found
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > USED_EVERY_MS)
      await sql('update directory_token set last_used_at = $3 where organization_id = $1 and id = $2', [
        organizationId,
        tokenId,
        now,
      ])
    return { organizationId, tokenId, name }
  })
}
