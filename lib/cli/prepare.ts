import { join } from 'node:path'
import { settings as readSettings, type Settings, toChildEnvironment } from '../env.ts'
import { provideDataDir } from './data-dir.ts'
import { provideDatabase } from './database.ts'
import { type Keys, provideKeys } from './keys.ts'
import type { Lifetime } from './lifetime.ts'
import { rotateLog } from './log-file.ts'
import { preparePrismaClient } from './prisma-client.ts'
import { runStep } from './steps.ts'

/** What every process of the program needs before it can start. */
export type Prepared = { settings: Settings; databaseUrl: string; keys: Keys }

/**
 * The steps that `start`, `dev`, `web` and `worker` share: data directory, Prisma Client, database, schema, keys.
 * @throws SettingsError or CommandError with one clear sentence; what was started by then is on `lifetime`.
 */
export async function prepare(lifetime: Lifetime): Promise<Prepared> {
  const settings = readSettings()
  provideDataDir(settings.dataDir)
  const keys = provideKeys(settings)
  await runStep('Prisma Client', () => preparePrismaClient(lifetime.signal))
  const databaseUrl = await provideDatabase(settings, lifetime)
  lifetime.signal.throwIfAborted()
  return { settings, databaseUrl, keys }
}

/** The file that a process's output is appended to. */
export function logFileOf(settings: Settings, name: 'web' | 'worker' | 'sandbox'): string {
  return rotateLog(join(settings.dataDir, 'logs', `${name}.log`))
}

/** The web server's environment. It has no key that opens tokens, and not the first admin's password. */
export function toWebEnvironment(prepared: Prepared, partner: Record<string, string>, mode: string): NodeJS.ProcessEnv {
  return toChildEnvironment({
    ...commonVariables(prepared, partner, mode),
    SESSION_SECRET: prepared.keys.sessionSecret,
    TOKEN_PUBLIC_KEYS: prepared.keys.tokenPublicKeys,
    TOKEN_PRIVATE_KEYS: undefined,
  })
}

/** The worker's environment: the only process with the keys that open tokens. */
export function toWorkerEnvironment(
  prepared: Prepared,
  partner: Record<string, string>,
  mode: string,
): NodeJS.ProcessEnv {
  return toChildEnvironment({
    ...commonVariables(prepared, partner, mode),
    SESSION_SECRET: undefined,
    TOKEN_PUBLIC_KEYS: prepared.keys.tokenPublicKeys,
    TOKEN_PRIVATE_KEYS: prepared.keys.tokenPrivateKeys,
  })
}

function commonVariables({ settings, databaseUrl }: Prepared, partner: Record<string, string>, mode: string) {
  return {
    ...partner,
    NODE_ENV: mode,
    APP_URL: settings.appUrl,
    PORT: String(settings.port),
    DATA_DIR: settings.dataDir,
    DATABASE_URL: databaseUrl,
    ADMIN_PASSWORD: undefined,
    NEXT_TELEMETRY_DISABLED: '1',
  }
}
