import { settings as readSettings } from '#lib/env.ts'
import { provideDataDir } from './run/data-dir.ts'
import { provideDatabase } from './run/database.ts'
import type { Lifetime } from './run/lifetime.ts'

/**
 * Brings the database to this version's schema, gives the roles of web server and worker their
 * rights, and nothing else; safe to run at any time and several times at once.
 */
export async function migrateDatabase(lifetime: Lifetime): Promise<void> {
  const settings = readSettings()
  if (!settings.databaseUrl && !settings.databaseOwnerUrl) provideDataDir(settings.dataDir)
  await provideDatabase(settings, lifetime, [])
}
