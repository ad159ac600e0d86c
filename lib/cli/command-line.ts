/** The commands by name, and what a process says and returns for how one of them ends. */
import { SettingsError } from '#lib/env.ts'
import { CommandError } from './run/command-error.ts'
import { type Lifetime, StoppedError } from './run/lifetime.ts'
import { preparePrismaClient } from './run/prisma-client.ts'

type Command = (lifetime: Lifetime, args: string[]) => Promise<number | undefined>

// loaded on demand: what one command needs may not exist yet for another (a generated client, a
// browser)
const COMMANDS: Record<string, () => Promise<Command>> = {
  start: async () => withoutCode((await import('./start.ts')).start),
  dev: async () => withoutCode((await import('./start.ts')).dev),
  web: async () => withoutCode((await import('./web.ts')).web),
  worker: async () => withoutCode((await import('./worker.ts')).worker),
  build: async () => withoutCode((await import('./build.ts')).build),
  migrate: async () => withoutCode((await import('./migrate.ts')).migrateDatabase),
  test: async () => (await import('./test/test.ts')).test,
  keys: async () => withoutCode((await import('./keys-command.ts')).keys),
  doctor: async () => withClient(async () => (await import('./doctor-command.ts')).doctor),
  audit: async () => withClient(async () => (await import('./audit-command.ts')).audit),
  sbom: async () => withoutCode((await import('./sbom.ts')).sbom),
  users: async () => withClient(async () => (await import('./users-command.ts')).users),
  organization: async () => withClient(async () => (await import('./organization-command.ts')).organization),
  soak: async () => withClient(async () => (await import('./soak/soak.ts')).soak),
  bench: async () => withClient(async () => (await import('./bench/bench.ts')).bench),
}

/** For a command that uses Prisma Client without preparing anything else. */
function withClient(load: () => Promise<(lifetime: Lifetime, args: string[]) => Promise<unknown>>): Command {
  return async (lifetime, args) => {
    await preparePrismaClient(lifetime.signal)
    const exitCode = await (await load())(lifetime, args)
    return typeof exitCode === 'number' ? exitCode : 0
  }
}

function withoutCode(command: (lifetime: Lifetime, args: string[]) => Promise<void>): Command {
  return (lifetime, args) => command(lifetime, args).then(() => 0)
}

/**
 * Runs the command that the arguments name, ends what it started, and returns the exit code. Every
 * failure is said on standard error; it never throws.
 */
export async function runCommandLine([name = '', ...args]: string[], lifetime: Lifetime): Promise<number> {
  const load = COMMANDS[name]
  if (!load) {
    process.stderr.write(`There is no command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}.\n`)
    return 2
  }
  let exitCode = 0
  try {
    const command = await load()
    exitCode = (await command(lifetime, args)) ?? 0
  } catch (error) {
    exitCode = report(error)
  }
  await lifetime.end()
  return exitCode
}

/** One sentence for what people can fix; a stack only for what should not happen. */
function report(error: unknown): number {
  if (error instanceof StoppedError) return 0
  if (error instanceof SettingsError) {
    for (const problem of error.problems) process.stderr.write(`${problem}\n`)
    return 2
  }
  if (error instanceof CommandError) {
    if (error.details) process.stderr.write(`${error.details}\n\n`)
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return 1
}
