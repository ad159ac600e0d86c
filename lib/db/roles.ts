/**
 * The database's roles: what they are, whether row-level security applies to them, and their rights
 * (docs/decisions/013-three-database-roles.md).
 */
import pg from 'pg'
import { SettingsError } from '#lib/env.ts'
import { ACCESS, FUNCTIONS, listPrivileges, PROCESSES, type Process, SEQUENCES } from './access.ts'
import { listKeptAnswers } from './kept-answers.ts'
import { type Connection, withConnection } from './one-connection.ts'

export type RoleNames = Record<Process, string>

export type RoleFacts = {
  name: string
  /** A superuser or BYPASSRLS, itself or as a role it can become: policies do not apply. */
  isExempt: boolean
  /** Owns tables, itself or as a role it can become, and so can lift their protection. */
  isOwner: boolean
}

/** SQL: whether policies do not hold for the role, of which this is the name or the number. */
const isExempt = (role: string) =>
  `exists (select from pg_roles s where (s.rolsuper or s.rolbypassrls) and pg_has_role(${role}, s.oid, 'member'))`

/** Facts about a role, by default the session's own. Null when there is no such role. */
async function readRole(client: pg.ClientBase, name?: string): Promise<RoleFacts | null> {
  const { rows } = await client.query<RoleFacts>(
    `select r.rolname as name,
            ${isExempt('r.oid')} as "isExempt",
            exists (select from pg_class c where c.relnamespace = to_regnamespace('public') and c.relname = any($2)
                      and c.relkind in ('r', 'p') and pg_has_role(r.oid, c.relowner, 'member')) as "isOwner"
     from pg_roles r where r.rolname = coalesce($1, current_user::text)`,
    [name ?? null, Object.keys(ACCESS)],
  )
  return rows[0] ?? null
}

/**
 * The role of an address, checked for use: row-level security applies to it, and it has the rights
 * of all `processes`.
 * @throws SettingsError when it is exempt or lacks a right.
 */
export async function requireRole(databaseUrl: string, processes: readonly Process[]): Promise<RoleFacts> {
  return withConnection(databaseUrl, async (client) => {
    await requirePolicies(client)
    const role = (await readRole(client)) as RoleFacts
    for (const process of processes) {
      const [first, ...others] = await listMissingRights(client, process)
      if (first === undefined) continue
      const more = others.length === 0 ? '' : ` and ${others.length} more`
      const next = await describeNext(client, role.name, process, others.length + 1)
      throw new SettingsError([
        `DATABASE_URL: the role "${role.name}" lacks rights of the ${process} (${first}${more})${next}`,
      ])
    }
    return role
  })
}

/**
 * What helps a role that lacks rights. Whoever gave the role of one process the rights of another
 * would undo what the roles are for: then the settings are those of the other.
 */
async function describeNext(client: Connection, role: string, process: Process, missing: number): Promise<string> {
  for (const other of PROCESSES)
    if (other !== process && (await listMissingRights(client, other)).length < missing)
      return `, and is the ${WORDS[other]}'s: use the settings and the user of the ${WORDS[process]} for this command.`
  return `: run \`npm run migrate\` with DATABASE_${process.toUpperCase()}_ROLE=${role}.`
}

const WORDS: Record<Process, string> = { web: 'web server', worker: 'worker' }

/**
 * Makes sure that row-level security applies to the session's role. Every connection of the pool
 * passes through here. @throws SettingsError naming the role.
 */
export async function requirePolicies(client: pg.ClientBase): Promise<void> {
  // nothing else of readRole: this is asked by each new connection
  const { rows } = await client.query<{ name: string }>(
    `select current_user::text as name where ${isExempt('current_user')}`,
  )
  const [exempt] = rows
  if (exempt !== undefined)
    throw new SettingsError([
      `DATABASE_URL: row-level security does not hold for the role "${exempt.name}" (superuser or BYPASSRLS); name another, see docs/operations.md, "Database roles".`,
    ])
}

/** What a process's role lacks, e.g. "select on line"; empty when it has all of `ACCESS`. */
async function listMissingRights(client: pg.ClientBase, process: Process): Promise<string[]> {
  const { rows } = await client.query<{ missing: string }>(
    `select n.privilege || ' on ' || n."table" as missing
     from json_to_recordset($1::json) as n ("table" text, privilege text, columns text[], hidden text[])
     where case n.privilege
       when 'delete' then not has_table_privilege(to_regclass(quote_ident(n."table")), 'delete')
       else to_regclass(quote_ident(n."table")) is null or exists (
         select from pg_attribute a
         where a.attrelid = to_regclass(quote_ident(n."table")) and a.attnum > 0 and not a.attisdropped
           and a.attname <> all (n.hidden) and (n.columns is null or a.attname = any (n.columns))
           and not has_column_privilege(a.attrelid, a.attnum, n.privilege)) end`,
    [JSON.stringify(listPrivileges(process, await readKeptTables(client)))],
  )
  return rows.map(({ missing }) => missing)
}

/**
 * Gives the two roles the rights of `ACCESS` and revokes all others, in one transaction: other
 * sessions see the rights before or after. Creates a missing role, without a password, when the
 * owner may.
 * @throws SettingsError when a role is missing and may not be created, is exempt from row-level
 * security, or owns the tables.
 */
export async function grantAccess(ownerUrl: string, roles: RoleNames): Promise<void> {
  await withConnection(ownerUrl, async (client) => {
    for (const process of PROCESSES) await provideRole(client, process, roles[process])
    await client.query('begin')
    // rights are rows of the catalog: two concurrent changes would collide there
    await client.query(`select pg_advisory_xact_lock(hashtext('tieout rights'))`)
    await client.query((await toStatements(client, roles)).join(';\n'))
    await client.query('commit')
  })
}

async function provideRole(client: Connection, process: Process, name: string): Promise<void> {
  const setting = `DATABASE_${process.toUpperCase()}_ROLE`
  const role = await readRole(client, name)
  if (role?.isExempt)
    throw new SettingsError([`${setting}: row-level security does not hold for the role "${name}"; name another.`])
  if (role?.isOwner)
    throw new SettingsError([`${setting}: the role "${name}" owns the tables or can become their owner; name another.`])
  if (role !== null) return
  const statement = `create role ${pg.escapeIdentifier(name)} login`
  await client.query(statement).catch((error: Error) => {
    if ('code' in error && error.code === '42710') return // another process was quicker
    throw new SettingsError([
      `${setting}: there is no role "${name}" (${error.message}); as an administrator: ${statement}`,
    ])
  })
}

async function toStatements(client: Connection, roles: RoleNames): Promise<string[]> {
  const columns = await readColumns(client)
  const kept = await readKeptTables(client)
  const database = pg.escapeIdentifier(client.database ?? '')
  // whoever else may enter the database has no schema to shadow our tables in
  const statements = [
    'revoke create on schema public from public',
    `revoke temporary on database ${database} from public`,
  ]
  // whoever makes a function lets everybody call it, a restore without privileges included
  for (const name of Object.keys(FUNCTIONS)) statements.push(`revoke all on function ${name} from public`)
  for (const process of PROCESSES) {
    const role = pg.escapeIdentifier(roles[process])
    statements.push(`grant connect, temporary on database ${database} to ${role}`)
    statements.push(`revoke all on schema public from ${role}`, `grant usage on schema public to ${role}`)
    // revoking a right on a table also revokes it on its columns
    for (const table of columns.keys()) statements.push(`revoke all on ${pg.escapeIdentifier(table)} from ${role}`)
    for (const { table, privilege, columns: only, hidden } of listPrivileges(process, kept)) {
      const all = columns.get(table) ?? []
      const named = only ?? (hidden.length === 0 ? null : all.filter((column) => !hidden.includes(column)))
      const list = named === null ? '' : ` (${named.map(pg.escapeIdentifier).join(', ')})`
      statements.push(`grant ${privilege}${list} on ${pg.escapeIdentifier(table)} to ${role}`)
    }
    for (const [sequence, rights] of Object.entries(SEQUENCES))
      statements.push(
        `revoke all on sequence ${sequence} from ${role}`,
        `grant ${rights[process]} on sequence ${sequence} to ${role}`,
      )
    for (const [name, rights] of Object.entries(FUNCTIONS)) {
      statements.push(`revoke all on function ${name} from ${role}`)
      if (rights[process] !== '') statements.push(`grant ${rights[process]} on function ${name} to ${role}`)
    }
  }
  return statements
}

async function readKeptTables(client: pg.ClientBase): Promise<string[]> {
  const kept = await listKeptAnswers(async (text) => (await client.query(text)).rows)
  return kept.map(({ table }) => table)
}

/** Every table of the program with its columns, including tables that `ACCESS` does not list. */
async function readColumns(client: Connection): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')
     group by c.relname`,
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}
