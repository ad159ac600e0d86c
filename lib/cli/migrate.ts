import { settings as readSettings } from '#lib/env.ts'
import { provideDataDir } from './run/data-dir.ts'
import { provideDatabase } from './run/database.ts'
import type { Lifetime } from './run/lifetime.ts'

/**
 * Migrates the database to this version's schema and grants the roles of web server and worker
 * their rights; nothing else. Safe at any time, and several times at once.
 */
export async function migrateDatabase(lifetime: Lifetime): Promise<void> {
  const settings = readSettings()
  if (!settings.databaseUrl && !settings.databaseOwnerUrl) provideDataDir(settings.dataDir)
  await provideDatabase(settings, lifetime, [])
}
