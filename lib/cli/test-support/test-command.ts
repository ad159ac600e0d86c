/** For tests: the command line, in a process of its own or in this one. */
import { spawn } from 'node:child_process'
import { onTestFinished, vi } from 'vitest'
import { parseSettings, SETTING_NAMES, settings, toChildEnvironment } from '#lib/env.ts'
import { runCommandLine } from '../command-line.ts'
import { COMMANDS } from '../commands.ts'
import { CommandError } from '../run/command-error.ts'
import { type Lifetime, StoppedError } from '../run/lifetime.ts'
import { projectRoot } from '../run/project-root.ts'

export type Ended = { code: number | null; stdout: string; stderr: string }

/** A command's environment: of our settings only those that are given. */
function toEnvironment(given: Record<string, string>): NodeJS.ProcessEnv {
  const none = Object.fromEntries(SETTING_NAMES.map((name) => [name, undefined]))
  return toChildEnvironment({ ...none, VITEST: undefined, ...given })
}

/**
 * Runs the command line as `npm start` does, without the installation, and waits for its end.
 * `input` is its standard input. To load the program takes a process more than a second.
 */
export function runCommand(
  args: string | string[],
  environment: Record<string, string>,
  { input, ...account }: { input?: string; uid?: number; gid?: number } = {},
): Promise<Ended> {
  const words = typeof args === 'string' ? args.split(' ') : args
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', ...words], {
    cwd: projectRoot,
    env: toEnvironment(environment),
    ...account,
  })
  const ended: Ended = { code: null, stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      ended[name] += chunk
    })
  if (input !== undefined) child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...ended, code })))
}

/**
 * Runs the command line in this process, which has loaded the program already, with the settings
 * that a process with this environment would have. A command that does not end by itself is stopped
 * with the test.
 */
export async function runCommandHere(command: string, environment: Record<string, string>): Promise<Ended> {
  const controller = new AbortController()
  onTestFinished(() => controller.abort(new StoppedError()))
  const kept = { env: process.env, settings: { ...settings() } }
  process.env = toEnvironment(environment)
  Object.assign(settings(), parseSettings(process.env))
  const listening = { stdout: listen('stdout'), stderr: listen('stderr') }
  try {
    const code = await runCommandLine(command.split(' '), createTestLifetime(controller.signal), COMMANDS)
    return { code, stdout: listening.stdout.heard(), stderr: listening.stderr.heard() }
  } finally {
    for (const { stop } of Object.values(listening)) stop()
    process.env = kept.env
    Object.assign(settings(), kept.settings)
  }
}

/** What a command said but for the check of the database, and the sentence it ended with. */
export type Called = { code: number; said: string[]; wrong: string }

/** Calls one of the commands in this process, with the settings that the test has made. */
export async function callCommand(
  command: (lifetime: Lifetime, args: string[]) => Promise<unknown>,
  args: string[],
): Promise<Called> {
  const { heard, stop } = listen('stdout')
  const error = await command(createTestLifetime(new AbortController().signal), args)
    .then(() => undefined)
    .catch((thrown: unknown) => thrown)
    .finally(stop)
  if (error !== undefined && !(error instanceof CommandError)) throw error
  return { code: error?.exitCode ?? 0, said: toSaidLines(heard()), wrong: error?.message ?? '' }
}

/** The lines of a command's output, without the step that checks the database. */
export function toSaidLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !line.includes('Database schema'))
}

function listen(name: 'stdout' | 'stderr'): { heard: () => string; stop: () => void } {
  let text = ''
  const write = vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
    text += chunk
    return true
  })
  return { heard: () => text, stop: () => write.mockRestore() }
}

function createTestLifetime(signal: AbortSignal): Lifetime {
  const ends: ((isForced: boolean) => Promise<void>)[] = []
  return {
    signal,
    onEnd: (_, end) => ends.unshift(end),
    end: async () => {
      for (const end of ends) await end(false)
    },
  }
}
