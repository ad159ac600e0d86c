import { spawn } from 'node:child_process'
import { CommandError } from './command-error.ts'
import { projectRoot } from './project-root.ts'

const SHOWN_LINES = 40

export type Tool = {
  /** What failed, for the person at the terminal: "The web app could not be built". */
  failure: string
  /** Arguments of Node: the program and its arguments. */
  args: string[]
  env: NodeJS.ProcessEnv
  signal: AbortSignal
}

/**
 * Runs a Node program to its end and returns its output.
 * @throws CommandError with its last lines when it fails; the signal's reason when aborted, with
 * its group killed.
 */
export function runTool({ failure, args, env, signal }: Tool): Promise<string> {
  signal.throwIfAborted()
  // a new group, which ends what the tool starts (build workers) too
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  signal.addEventListener('abort', kill)
  return new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (signal.aborted) reject(signal.reason)
      else if (code === 0) resolve(output)
      else reject(new CommandError(failure, { details: lastLines(output) }))
    })
  }).finally(() => signal.removeEventListener('abort', kill))
}

/** The last lines of a program's output, without trailing empty ones. */
export function lastLines(output: string, count = SHOWN_LINES): string {
  return output.trimEnd().split('\n').slice(-count).join('\n')
}
