/** What a process says and returns for how one of them ends. */
import { SettingsError } from '#lib/env.ts'
import type { Commands } from './operating-commands.ts'
import { CommandError } from './run/command-error.ts'
import { type Lifetime, StoppedError } from './run/lifetime.ts'

/**
 * Runs the command that the arguments name, ends what it started, and returns the exit code. Every
 * failure is said on standard error; it never throws.
 */
export async function runCommandLine(
  [name = '', ...args]: string[],
  lifetime: Lifetime,
  commands: Commands,
): Promise<number> {
  const load = commands[name]
  if (!load) {
    process.stderr.write(`There is no command "${name}"; there are ${Object.keys(commands).join(', ')}.\n`)
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
