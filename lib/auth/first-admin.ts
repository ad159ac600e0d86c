import { withSystemSql } from '../db/tenant.ts'
import { hashPassword, makePassword } from './password.ts'

/** `password` is there only when it was made up here: it is to be shown once and is stored nowhere. */
export type FirstAdmin = { created: boolean; email: string; password: string | null }

/**
 * Makes the first organization with its first admin, unless there is a user already: then nothing is changed, `created` is
 * false and `email` is the first admin's own. Safe to call from several processes at once.
 */
export async function provideFirstAdmin(
  { email, password }: { email: string; password: string | null },
  now: Date,
): Promise<FirstAdmin> {
  const existing = await withSystemSql((sql) => sql<{ email: string }>(FIRST_USER))
  if (existing[0] !== undefined) return { created: false, email: existing[0].email, password: null }
  const chosen = password ?? makePassword()
  const passwordHash = await hashPassword(chosen)
  return withSystemSql(async (sql) => {
    await sql(`select pg_advisory_xact_lock(hashtext('tieout first admin'))`)
    const [other] = await sql<{ email: string }>(FIRST_USER)
    if (other !== undefined) return { created: false, email: other.email, password: null }
    const address = email.trim().toLowerCase()
    await sql(
      `with made as (insert into organization (name, created_at) values ('My company', $3) returning id)
       insert into app_user (organization_id, email, name, role, password_hash, created_at)
       select id, $1, 'Admin', 'admin', $2, $3 from made`,
      [address, passwordHash, now],
    )
    return { created: true, email: address, password: password === null ? chosen : null }
  })
}

const FIRST_USER = `select email from app_user order by (role = 'admin') desc, created_at, email limit 1`
