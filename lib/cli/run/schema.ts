import { join } from 'node:path'
import { migrate, readSchemaState, type SchemaState } from '#lib/db/migrate.ts'
import { readPrograms } from '#lib/db/programs.ts'
import { grantAccess, type RoleNames } from '#lib/db/roles.ts'
import { projectRoot } from './project-root.ts'

const MIGRATIONS = join(projectRoot, 'prisma', 'migrations')

/**
 * Brings the database to this version: tables, functions, and the rights of the two roles, if
 * any.
 * Run as the tables' owner; safe at any time, and several times at once.
 * @returns the names of the migrations applied now. @throws Error like `migrate` and
 * `grantAccess`.
 */
export async function prepareSchema(ownerUrl: string, roles: RoleNames | null): Promise<string[]> {
  const applied = await migrate(ownerUrl, MIGRATIONS, readPrograms(projectRoot))
  if (roles !== null) await grantAccess(ownerUrl, roles)
  return applied
}

/** How the database's schema compares with this version; see `readSchemaState`. */
export function inspectSchema(databaseUrl: string): Promise<SchemaState> {
  return readSchemaState(databaseUrl, MIGRATIONS, readPrograms(projectRoot))
}
