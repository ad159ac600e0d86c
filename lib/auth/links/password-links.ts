/** Links with which somebody sets a new password: a secret that works once, kept as its hash. */
import { hashSecret, makeSecret } from '#lib/connections/secret-hash.ts'
import type { Sql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'

const LINK_MS = 3_600_000

export type Holder = { organizationId: OrganizationId; userId: UserId }

/**
 * Makes a link's secret for a person, which works for an hour. Only its hash is stored: whoever
 * reads the database cannot use it. Earlier links go on working until one of them is used, so
 * nobody takes away another's link by asking for one more.
 */
export async function makePasswordLink(sql: Sql, { organizationId, userId }: Holder, now: Date): Promise<string> {
  const secret = makeSecret()
  await sql('delete from password_reset where organization_id = $1 and user_id = $2 and expires_at < $3', [
    organizationId,
    userId,
    now,
  ])
  await sql(
    `insert into password_reset (organization_id, user_id, secret_hash, made_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [organizationId, userId, hashSecret(secret), now, new Date(now.getTime() + LINK_MS)],
  )
  return secret
}

/** Ends what links to the person's password there are, in the transaction that sets another. */
export async function closeLinks(sql: Sql, { organizationId, userId }: Holder, now: Date): Promise<void> {
  await sql(
    'update password_reset set closed_at = $3 where organization_id = $1 and user_id = $2 and closed_at is null',
    [organizationId, userId, now],
  )
}

/** The address of the page that sets it; behind the `#`, which no server and no log sees. */
export function toPasswordAddress(secret: string): string {
  return `${settings().appUrl}/sign-in/new-password#${secret}`
}
