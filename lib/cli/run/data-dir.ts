import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { identityOf, isAlive } from '#lib/db/process-identity.ts'
import type { Settings } from '#lib/env.ts'
import { CommandError } from './command-error.ts'

/**
 * Creates the data directory. Its secrets are private to this user; PostgreSQL's account (a
 * different one when this user is root) must pass through to its own folder. @throws CommandError
 * when it cannot be written.
 */
export function provideDataDir(dataDir: string): void {
  const logs = join(dataDir, 'logs')
  try {
    provideFolder(dataDir, 0o711)
    provideFolder(logs, 0o700)
    for (const folder of [dataDir, logs]) accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const sentence = `The data directory ${dataDir} can't be written (${code}): choose another with DATA_DIR.`
    throw new CommandError(sentence, { cause: error })
  }
}

/** True when the data directory holds an embedded database, running or not. */
export function hasEmbeddedDatabase({ dataDir }: Pick<Settings, 'dataDir'>): boolean {
  return existsSync(join(dataDir, 'postgres', 'server.json'))
}

/**
 * Makes sure that there is a database to work on: a command without its settings would otherwise
 * begin a second installation beside the real one. @throws CommandError
 */
export function requireInstallation(settings: Settings, whose: 'web server' | 'worker'): void {
  if (settings.databaseUrl !== null || settings.databaseOwnerUrl !== null || hasEmbeddedDatabase(settings)) return
  throw new CommandError(
    `There is no installation here: DATABASE_URL is not set, and ${settings.dataDir} holds no database. Use the settings and the user of the ${whose} for this command, or \`npm start\` first.`,
  )
}

/**
 * One level at a time: Node's recursive mkdir never returns on a file system without folder
 * creation (/proc).
 */
function provideFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) provideFolder(dirname(folder), 0o755)
  mkdirSync(folder, { mode })
}

/**
 * Makes sure that only one `npm start` uses the data directory.
 * @returns the function that frees it again.
 * @throws CommandError when another one runs.
 */
export function occupyDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'running')
  const mine = identityOf(process.pid)
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const other = readFileSync(file, 'utf8')
    if (isAlive(other))
      throw new CommandError(
        `Tieout already runs on the data directory ${dataDir} (process ${Number.parseInt(other, 10)}).`,
      )
    rmSync(file, { force: true }) // left behind by a killed one
  }
}
