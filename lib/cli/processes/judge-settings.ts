import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findPasswordProblem } from '#lib/auth/passwords/password.ts'
import type { Process } from '#lib/db/access.ts'
import { parseSettings, type Settings, SettingsError, toChildEnvironment } from '#lib/env.ts'
import { CommandError } from '../run/command-error.ts'
import { hasEmbeddedDatabase } from '../run/data-dir.ts'
import { judgeKeys } from '../run/keys.ts'
import { tryToListen } from '../run/port-check.ts'
import { DEFAULT_EMAIL } from './first-admin.ts'

/**
 * Judges the settings as the processes that the command starts will, before it writes, installs or
 * starts anything: a wrong one is said at once, and not by the log of a process that ends.
 * @throws SettingsError or CommandError with one sentence.
 */
export async function judgeSettings(
  settings: Settings,
  processes: readonly Process[],
  mode: 'production' | 'development',
): Promise<void> {
  parseSettings(toChildEnvironment({ NODE_ENV: mode }))
  judgeDatabase(settings, processes)
  judgeKeys(settings, processes)
  const { dataDir, spoolDir, attachmentsDir } = settings
  if (processes.includes('worker') && !spoolDir.startsWith(join(dataDir, '/'))) judgeFolder('SPOOL_DIR', spoolDir)
  if (attachmentsDir !== null) judgeFolder('ATTACHMENTS_DIR', attachmentsDir)
  if (processes.includes('web')) await judgeAdmin(settings)
  await judgePorts(settings, processes)
}

function judgeDatabase({ databaseUrl, databaseOwnerUrl }: Settings, processes: readonly Process[]): void {
  if (databaseOwnerUrl === null) return
  if (processes.length === 1)
    throw new SettingsError([
      `DATABASE_OWNER_URL: is for \`npm run migrate\` alone; take it out of the environment of the ${processes[0]}.`,
    ])
  if (databaseUrl === null) throw new SettingsError(['DATABASE_URL: is missing, while DATABASE_OWNER_URL is set.'])
}

/** A folder, or the nearest one above it that exists, can be written. */
function judgeFolder(name: string, wanted: string): void {
  let folder = wanted
  try {
    while (statSync(folder, { throwIfNoEntry: false }) === undefined) folder = dirname(folder)
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError([`${name}: ${wanted} can't be written (${code}); choose another folder.`])
  }
}

/** A first admin is made with this password where there is no database yet. */
async function judgeAdmin(settings: Settings): Promise<void> {
  const { adminEmail, adminPassword } = settings
  if (adminPassword === null || hasEmbeddedDatabase(settings)) return
  const problem = await findPasswordProblem(adminPassword.reveal(), { email: adminEmail ?? DEFAULT_EMAIL })
  if (problem !== null) throw new SettingsError([`ADMIN_PASSWORD: ${problem}.`])
}

type Listening = { name: string; hostName: string; host: string; port: number }

/** Every address is one of this machine, no two are the same, and those for metrics are free. */
async function judgePorts({ listenHost, port, metrics }: Settings, processes: readonly Process[]): Promise<void> {
  const { host, webPort, workerPort } = metrics
  const wanted: (Listening & { of: Process })[] = [
    { of: 'web' as const, name: 'PORT', hostName: 'LISTEN_HOST', host: listenHost, port },
    { of: 'web' as const, name: 'WEB_METRICS_PORT', hostName: 'METRICS_HOST', host, port: webPort ?? 0 },
    { of: 'worker' as const, name: 'WORKER_METRICS_PORT', hostName: 'METRICS_HOST', host, port: workerPort ?? 0 },
  ].filter((each) => processes.includes(each.of) && each.port !== 0)
  for (const [at, one] of wanted.entries()) {
    const other = wanted.slice(0, at).find((before) => before.port === one.port && doOverlap(before.host, one.host))
    if (other !== undefined) throw new SettingsError([`${one.name}: must be another port than ${other.name}.`])
  }
  for (const each of wanted) await judgeAddress(each)
}

async function judgeAddress({ name, hostName, host, port }: Listening): Promise<void> {
  const code = await tryToListen(0, host)
  if (code !== null) throw new SettingsError([`${hostName}: ${host} is no address of this machine (${code}).`])
  // the command says in its own words that PORT is taken
  if (name !== 'PORT' && (await tryToListen(port, host)) !== null)
    throw new CommandError(`Port ${port} is in use: choose another with ${name}.`)
}

function doOverlap(one: string, other: string): boolean {
  return one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::')
}
