import { distribute, isHalfDistributed } from '#lib/db/cluster/distribute.ts'
import { settings as readSettings } from '#lib/env.ts'
import { CommandError } from './run/command-error.ts'
import { provideDataDir } from './run/data-dir.ts'
import { provideDatabase } from './run/database.ts'
import type { Lifetime } from './run/lifetime.ts'
import { runStep } from './run/steps.ts'

/**
 * Migrates the database to this version's schema and grants the roles of web server and worker
 * their rights; nothing else. Safe at any time, and several times at once. With `--citus` it then
 * gives every table its place on a cluster, and before it finishes what was ended by force.
 * @throws CommandError for another word, and where the server is no cluster
 */
export async function migrateDatabase(lifetime: Lifetime, args: string[] = []): Promise<void> {
  const isForCluster = args.includes('--citus')
  if (args.some((word) => word !== '--citus')) throw new CommandError('Usage: npm run migrate [-- --citus]')
  const settings = readSettings()
  const ownerUrl = settings.databaseOwnerUrl ?? settings.databaseUrl
  if (isForCluster && ownerUrl === null)
    throw new CommandError('The embedded PostgreSQL is no cluster: --citus needs DATABASE_OWNER_URL or DATABASE_URL.')
  if (ownerUrl === null) provideDataDir(settings.dataDir)
  // a server that does not answer is told of below, in its own words
  if (isForCluster && ownerUrl !== null && (await isHalfDistributed(ownerUrl).catch(() => false)))
    await placeTables(ownerUrl)
  await provideDatabase(settings, lifetime, [])
  if (isForCluster && ownerUrl !== null) await placeTables(ownerUrl)
}

async function placeTables(ownerUrl: string): Promise<void> {
  await runStep('Places of the tables', async () => {
    const { organization, reference } = await distribute(ownerUrl).catch((thrown: Error) => {
      throw new CommandError(`The tables can't be given places: ${thrown.message}`, { cause: thrown })
    })
    return `${organization} by organization, ${reference} on every node`
  })
}
