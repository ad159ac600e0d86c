/**
 * A sign-in that has had the right password and waits for its second step. It is no session: its
 * cookie opens nothing but the form for the code, for five minutes and five tries.
 */
import { createHash } from 'node:crypto'
import { hashSecret, makeSecret } from '#lib/connections/secret-hash.ts'
import type { Records } from '#lib/db/records.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import type { Person } from './person.ts'

export const PENDING_SECONDS = 300
const MAX_TRIES = 5

/** What the cookie holds. */
export type PendingKey = { organizationId: OrganizationId; secret: string }

/** Who is signing in; `passwordHash` is the hash that the password was checked against. */
export type Pending = Person & { email: string; passwordHash: string; next: string }

/** The cookie's value for a person whose second step counts; null for one without. */
export function beginPending(user: Person & { passwordHash: string }, next: string, now: Date): Promise<string | null> {
  const { organizationId, userId, passwordHash } = user
  const secret = makeSecret()
  return withTenant(organizationId, async (records, sql) => {
    const begun = await sql(
      `insert into pending_sign_in (organization_id, id_hash, user_id, password_mark, next, expires_at)
       select organization_id, $3, user_id, $4, $5, $6 from authenticator
       where organization_id = $1 and user_id = $2 and confirmed_at is not null returning 1 as one`,
      [
        organizationId,
        userId,
        hashSecret(secret),
        toMark(passwordHash),
        next,
        new Date(now.getTime() + PENDING_SECONDS * 1000),
      ],
    )
    if (begun.length === 0) return null
    await records.pendingSignIn.deleteMany({ where: { organizationId, userId, expiresAt: { lt: now } } })
    return `${organizationId}.${secret}`
  })
}

/** What a cookie says; null when it is not ours. */
export function readPendingKey(cookie: string | undefined): PendingKey | null {
  const [organizationId = '', secret = ''] = cookie?.split('.') ?? []
  return isUuid(organizationId) && secret !== '' ? { organizationId, secret } : null
}

/** Null once ended, too old, out of tries, or when its user was disabled or changed password. */
export function findPending(key: PendingKey, now: Date): Promise<Pending | null> {
  return withTenantSql(key.organizationId, (sql) => readPending(sql, key, now))
}

async function readPending(sql: Sql, { organizationId, secret }: PendingKey, now: Date): Promise<Pending | null> {
  const [found] = await sql<Omit<Pending, 'organizationId'> & { mark: string }>(
    `select p.user_id as "userId", p.next, p.password_mark as mark, u.email, u.password_hash as "passwordHash"
     from pending_sign_in p join app_user u on u.organization_id = p.organization_id and u.id = p.user_id
     where p.organization_id = $1 and p.id_hash = $2 and p.expires_at > $3 and p.tries < ${MAX_TRIES}
       and u.disabled_at is null and u.password_hash is not null`,
    [organizationId, hashSecret(secret), now],
  )
  if (found === undefined) return null
  const { mark, ...pending } = found
  return mark === toMark(pending.passwordHash) ? { ...pending, organizationId } : null
}

/** Takes one of the five tries, before the code is looked at; false when there is none left. */
export async function takeTry({ organizationId, secret }: PendingKey, now: Date): Promise<boolean> {
  const taken = await withTenant(organizationId, (records) =>
    records.pendingSignIn.updateMany({
      where: { organizationId, idHash: hashSecret(secret), expiresAt: { gt: now }, tries: { lt: MAX_TRIES } },
      data: { tries: { increment: 1 } },
    }),
  )
  return taken.count === 1
}

/** Ends it, in the transaction that uses its code up; false when somebody else has ended it. */
export async function endPending(records: Records, { organizationId, secret }: PendingKey): Promise<boolean> {
  const ended = await records.pendingSignIn.deleteMany({ where: { organizationId, idHash: hashSecret(secret) } })
  return ended.count === 1
}

/**
 * Marks the setting of a password by its salt, which each setting makes anew
 * (lib/auth/passwords/password.ts). A hash that is only made to cost more keeps it: that is no
 * reason to begin again.
 */
function toMark(passwordHash: string): string {
  return createHash('sha256')
    .update(passwordHash.split('$')[2] ?? passwordHash)
    .digest('hex')
}
