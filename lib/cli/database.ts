import { join } from 'node:path'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { migrate } from '../db/migrate.ts'
import type { Settings } from '../env.ts'
import { CommandError } from './command-error.ts'
import type { Lifetime } from './lifetime.ts'
import { projectRoot } from './project-root.ts'
import { runStep } from './steps.ts'

/**
 * The database that is configured, or else the embedded server, started or joined; migrated either way. Whoever leaves
 * the embedded server last stops it.
 * @returns its address. @throws CommandError when it cannot be reached or a migration is refused.
 */
export async function provideDatabase(settings: Settings, lifetime: Lifetime): Promise<string> {
  let url = settings.databaseUrl ?? ''
  if (!settings.databaseUrl)
    await runStep('PostgreSQL', async () => {
      const server = await startEmbeddedPostgres(join(settings.dataDir, 'postgres'), 'tieout').catch(rethrowAsSentence)
      lifetime.onEnd('PostgreSQL', server.leave)
      url = server.url
      return server.startedHere ? 'started' : 'joined the server that runs already'
    })
  await runStep('Database schema', async () => {
    const applied = await migrate(url, join(projectRoot, 'prisma', 'migrations')).catch((error: unknown) =>
      rethrowAsSentence(error, settings.databaseUrl),
    )
    return applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`
  })
  return url
}

function rethrowAsSentence(error: unknown, configuredUrl: string | null = null): never {
  const { code, message } = error as NodeJS.ErrnoException
  const where = configuredUrl ? ` at ${new URL(configuredUrl).host} (DATABASE_URL)` : ''
  // a refused connection to a name with two addresses has no message of its own
  throw new CommandError(`The database${where} can't be used: ${message || code}`, { cause: error })
}
