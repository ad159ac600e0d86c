import { join } from 'node:path'
import type { Process } from '#lib/db/access.ts'
import { EMBEDDED_ROLES, startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { requireRole } from '#lib/db/roles.ts'
import { readFarOff } from '#lib/db/server-settings.ts'
import { type Settings, SettingsError } from '#lib/env.ts'
import { CommandError } from './command-error.ts'
import { judgePooler } from './judge-pooler.ts'
import type { Lifetime } from './lifetime.ts'
import { inspectSchema, prepareSchema } from './schema.ts'
import { runStep } from './steps.ts'
import { dim, say } from './terminal.ts'

/** The database's address for each process. */
export type DatabaseUrls = Record<Process, string>

/**
 * The configured database, or else the embedded server, started or joined; either way at this
 * version's schema. The last to leave the embedded server stops it. `processes` are those that the
 * caller starts or stands in for; with none it only migrates.
 * @throws CommandError when the database cannot be reached, a migration is refused, or this role
 * may not make a needed one;
 * SettingsError when the role is exempt from row-level security or lacks rights of a process.
 */
export async function provideDatabase(
  settings: Settings,
  lifetime: Lifetime,
  processes: readonly Process[],
): Promise<DatabaseUrls> {
  const { databaseUrl, databaseOwnerUrl } = settings
  if (databaseUrl === null && databaseOwnerUrl === null) return provideEmbedded(settings, lifetime)
  if (databaseUrl === null && processes.length > 0)
    throw new SettingsError(['DATABASE_URL: is missing, while DATABASE_OWNER_URL is set.'])
  const url = (databaseUrl ?? databaseOwnerUrl) as string
  const rethrowUrl = rethrow(url, 'DATABASE_URL')
  await judgePooler(settings).catch(rethrowUrl)
  // before anything is changed
  if (processes.length > 0) await requireRole(url, []).catch(rethrowUrl)
  const rethrowOwner = databaseOwnerUrl === null ? rethrowUrl : rethrow(databaseOwnerUrl, 'DATABASE_OWNER_URL')
  await runStep('Database schema', () => provideSchema(settings, url).catch(rethrowOwner))
  if (processes.length === 0) return { web: url, worker: url }
  const role = await requireRole(url, processes).catch(rethrowUrl)
  if (role.isOwner)
    say(dim(`    The role "${role.name}" owns the tables; docs/operations.md has roles that own nothing.`))
  for (const advice of await readFarOff(url).catch(rethrowUrl))
    say(dim(`    PostgreSQL's ${advice} (docs/operations.md).`))
  return { web: url, worker: url }
}

async function provideEmbedded(settings: Settings, lifetime: Lifetime): Promise<DatabaseUrls> {
  let owner = ''
  let urls: DatabaseUrls = { web: '', worker: '' }
  await runStep('PostgreSQL', async () => {
    const server = await startEmbeddedPostgres(join(settings.dataDir, 'postgres'), 'tieout').catch(rethrow())
    lifetime.onEnd('PostgreSQL', server.leave)
    owner = server.url
    urls = server.urls
    return server.startedHere ? 'started' : 'joined the server that runs already'
  })
  await runStep('Database schema', async () => toText(await prepareSchema(owner, EMBEDDED_ROLES).catch(rethrow())))
  return urls
}

/** Migrates as the owner; any other role only checks. */
async function provideSchema(settings: Settings, url: string): Promise<string> {
  const { databaseOwnerUrl, databaseRoles } = settings
  const roles = databaseRoles === null ? '' : `; rights for ${databaseRoles.web} and ${databaseRoles.worker}`
  if (databaseOwnerUrl !== null) return toText(await prepareSchema(databaseOwnerUrl, databaseRoles)) + roles
  const { pending, isOwner } = await inspectSchema(url)
  if (isOwner) return toText(await prepareSchema(settings.databaseDirectUrl ?? url, databaseRoles)) + roles
  if (pending.length === 0) return 'up to date'
  throw new Error(
    `its tables are of an earlier version, and this role does not own them: run \`npm run migrate\` with the owner's address in DATABASE_OWNER_URL first`,
  )
}

function toText(applied: string[]): string {
  return applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`
}

/**
 * Wraps PostgreSQL's message in a sentence; our own errors pass unchanged. No address means the
 * embedded server.
 */
function rethrow(url?: string, setting?: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof SettingsError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const where = url === undefined ? '' : ` at ${new URL(url).host} (${setting})`
    // a refused connection to a name with two addresses has no message
    throw new CommandError(`The database${where} can't be used: ${message || code}`, { cause: error })
  }
}
