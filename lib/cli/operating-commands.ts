/**
 * The commands that an installation is run with. `npm run build` makes one program of them, which
 * needs neither npm nor what the sources are built with.
 */
import { settings } from '#lib/env.ts'
import { preparePrismaClient } from './builds/prisma-client.ts'
import { requireInstallation } from './run/data-dir.ts'
import type { Lifetime } from './run/lifetime.ts'

export type Command = (lifetime: Lifetime, args: string[]) => Promise<number | undefined>

/**
 * By name. Loaded on demand: what one command needs may not exist yet for another (a generated
 * client, a browser).
 */
export type Commands = Record<string, () => Promise<Command>>

export const OPERATING_COMMANDS: Commands = {
  web: async () => withoutCode((await import('./web.ts')).web),
  worker: async () => withoutCode((await import('./worker.ts')).worker),
  migrate: async () => withoutCode((await import('./migrate.ts')).migrateDatabase),
  keys: async () => withoutCode((await import('./keys-command.ts')).keys),
  doctor: async () => withClient(async () => (await import('./doctor-command.ts')).doctor),
  audit: async () => withSettings(async () => (await import('./audit-command.ts')).audit),
  export: async () => withSettings(async () => (await import('./export-command.ts')).exportFiles),
  users: async () => withSettings(async () => (await import('./users-command.ts')).users),
  organization: async () => withSettings(async () => (await import('./organization-command.ts')).organization),
}

/** For a command that uses Prisma Client without preparing anything else. */
export function withClient(load: () => Promise<(lifetime: Lifetime, args: string[]) => Promise<unknown>>): Command {
  return async (lifetime, args) => {
    await preparePrismaClient(lifetime.signal)
    const exitCode = await (await load())(lifetime, args)
    return typeof exitCode === 'number' ? exitCode : 0
  }
}

/** As `withClient`, for a command of a web server's settings: judged before anything is made. */
function withSettings(load: () => Promise<(lifetime: Lifetime, args: string[]) => Promise<unknown>>): Command {
  const command = withClient(load)
  return (lifetime, args) => {
    requireInstallation(settings(), 'web server')
    return command(lifetime, args)
  }
}

export function withoutCode(command: (lifetime: Lifetime, args: string[]) => Promise<void>): Command {
  return (lifetime, args) => command(lifetime, args).then(() => 0)
}
