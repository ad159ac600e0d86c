import { type Sql, withSystem, withSystemSql } from '#lib/db/tenant.ts'
import { SettingsError } from '#lib/env.ts'
import { findPasswordProblem, hashPassword, makePassword } from '../passwords/password.ts'

/** `password` is set only when it was generated here: show it once, it is stored nowhere. */
export type FirstAdmin = { created: boolean; email: string; password: string | null }

/**
 * Makes the first organization and its first admin, unless there is a user: then nothing changes,
 * `created` is false and `email` is the existing admin's. Safe to call from several processes at
 * once.
 * @throws SettingsError for a password that is easy to guess.
 */
export async function provideFirstAdmin(
  { email, password }: { email: string; password: string | null },
  now: Date,
): Promise<FirstAdmin> {
  // every start checks this: in SQL, so only the first loads Prisma Client
  const existing = await withSystemSql(findFirstUser)
  if (existing !== null) return { created: false, email: existing.email, password: null }
  const problem = password === null ? null : await findPasswordProblem(password, { email })
  if (problem !== null) throw new SettingsError([`ADMIN_PASSWORD: ${problem}.`])
  const chosen = password ?? makePassword()
  const passwordHash = await hashPassword(chosen)
  return withSystem(async (records, sql) => {
    await sql(`select pg_advisory_xact_lock(hashtext('tieout first admin'))`)
    const other = await findFirstUser(sql)
    if (other !== null) return { created: false, email: other.email, password: null }
    const address = email.trim().toLowerCase()
    await records.organization.create({
      data: {
        name: 'My company',
        createdAt: now,
        users: { create: { email: address, name: 'Admin', role: 'admin', passwordHash, createdAt: now } },
      },
    })
    return { created: true, email: address, password: password === null ? chosen : null }
  })
}

/** Whether anybody can be in this installation at all. */
export async function hasUsers(): Promise<boolean> {
  return (await withSystemSql(findFirstUser)) !== null
}

/** An admin if there is one, else the first user. */
async function findFirstUser(sql: Sql): Promise<{ email: string } | null> {
  const [user] = await sql<{ email: string }>(
    `select email from app_user order by (role = 'admin') desc, created_at, email limit 1`,
  )
  return user ?? null
}
