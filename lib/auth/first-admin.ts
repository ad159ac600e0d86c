import { type Sql, withSystem, withSystemSql } from '#lib/db/tenant.ts'
import { hashPassword, makePassword } from './password.ts'

/**
 * `password` is there only when it was made up here: it is to be shown once and is stored nowhere.
 */
export type FirstAdmin = { created: boolean; email: string; password: string | null }

/**
 * Makes the first organization with its first admin, unless there is a user already: then nothing
 * is changed, `created` is false and `email` is the first admin's own. Safe to call from several
 * processes at once.
 */
export async function provideFirstAdmin(
  { email, password }: { email: string; password: string | null },
  now: Date,
): Promise<FirstAdmin> {
  // each start looks: SQL, so that only the first one loads Prisma Client
  const existing = await withSystemSql(findFirstUser)
  if (existing !== null) return { created: false, email: existing.email, password: null }
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

/** An admin when there is one, else whoever was first. */
async function findFirstUser(sql: Sql): Promise<{ email: string } | null> {
  const [user] = await sql<{ email: string }>(
    `select email from app_user order by (role = 'admin') desc, created_at, email limit 1`,
  )
  return user ?? null
}
