import { join } from 'node:path'
import type { Process } from '#lib/db/access.ts'
import { parseSettings, settings as readSettings, type Settings, toChildEnvironment } from '#lib/env.ts'
import { preparePrismaClient } from '../builds/prisma-client.ts'
import { provideDataDir } from '../run/data-dir.ts'
import { type DatabaseUrls, provideDatabase } from '../run/database.ts'
import type { WebKeys, WorkerKeys } from '../run/keys.ts'
import type { Lifetime } from '../run/lifetime.ts'
import { runStep } from '../run/steps.ts'
import { rotateLog } from './log-file.ts'

/**
 * What a process needs before it can start. `keys` holds only those that the command may pass on.
 */
export type Prepared<Keys = unknown> = { settings: Settings; databaseUrls: DatabaseUrls; keys: Keys }

/**
 * The steps that `start`, `dev`, `web` and `worker` share: data directory, keys, Prisma Client,
 * database, schema.
 * @throws SettingsError or CommandError with one clear sentence; what was started by then is on
 * `lifetime`.
 */
export async function prepare<Keys>(
  lifetime: Lifetime,
  processes: readonly Process[],
  provideKeys: (settings: Settings) => Keys,
): Promise<Prepared<Keys>> {
  const settings = readSettings()
  provideDataDir(settings.dataDir)
  const keys = provideKeys(settings)
  await runStep('Prisma Client', () => preparePrismaClient(lifetime.signal))
  const databaseUrls = await provideDatabase(settings, lifetime, processes)
  lifetime.signal.throwIfAborted()
  return { settings, databaseUrls, keys }
}

/** The file that a process's output is appended to. */
export function logFileOf(settings: Settings, name: 'web' | 'worker' | 'sandbox'): string {
  return rotateLog(join(settings.dataDir, 'logs', `${name}.log`))
}

/**
 * The web server's environment, without the keys that open tokens, the tables' owner, and the first
 * admin's password. @throws SettingsError for what it would refuse at its start.
 */
export function toWebEnvironment(
  prepared: Prepared<WebKeys>,
  partner: Record<string, string>,
  mode: string,
): NodeJS.ProcessEnv {
  return toCheckedEnvironment({
    ...commonVariables(prepared, partner, mode),
    DATABASE_URL: prepared.databaseUrls.web,
    SESSION_SECRET: prepared.keys.sessionSecret,
    TOKEN_PUBLIC_KEYS: prepared.keys.tokenPublicKeys,
    TOKEN_PRIVATE_KEYS: undefined,
  })
}

/**
 * The worker's environment: the only process with the keys that open tokens. @throws SettingsError
 * for what it would refuse at its start.
 */
export function toWorkerEnvironment(
  prepared: Prepared<WorkerKeys>,
  partner: Record<string, string>,
  mode: string,
): NodeJS.ProcessEnv {
  return toCheckedEnvironment({
    ...commonVariables(prepared, partner, mode),
    DATABASE_URL: prepared.databaseUrls.worker,
    SESSION_SECRET: undefined,
    TOKEN_PUBLIC_KEYS: prepared.keys.tokenPublicKeys,
    TOKEN_PRIVATE_KEYS: prepared.keys.tokenPrivateKeys,
  })
}

/** What only production refuses is said by the command, not by the log of a process that ends. */
function toCheckedEnvironment(changes: Parameters<typeof toChildEnvironment>[0]): NodeJS.ProcessEnv {
  const environment = toChildEnvironment(changes)
  parseSettings(environment)
  return environment
}

function commonVariables({ settings }: Prepared, partner: Record<string, string>, mode: string) {
  return {
    ...partner,
    NODE_ENV: mode,
    APP_URL: settings.appUrl,
    PORT: String(settings.port),
    DATA_DIR: settings.dataDir,
    DATABASE_OWNER_URL: undefined,
    ADMIN_PASSWORD: undefined,
    NEXT_TELEMETRY_DISABLED: '1',
  }
}
