import { spawn } from 'node:child_process'
import { SETTING_NAMES, toChildEnvironment } from '#lib/env.ts'
import { killGroup } from '../processes/managed-process.ts'
import { projectRoot } from '../run/project-root.ts'

const KILL_AFTER_MS = 10_000

export type ToolRun = {
  args: string[]
  env?: Record<string, string>
  /** The folder to run in; the project by default. */
  cwd?: string
  /** Ends the program: asks it to stop, then kills it with everything it has started. */
  signal: AbortSignal
  /** False holds the output back until it is known to be needed. */
  isShown: boolean
}

/**
 * Runs a Node program for a part of the tests and returns its exit code. It gets none of our
 * settings: tests must not reach a real database or partner by accident.
 */
export function runTestTool({
  args,
  env = {},
  cwd = projectRoot,
  signal,
  isShown,
}: ToolRun): Promise<{ code: number; output: string }> {
  signal.throwIfAborted()
  const withoutSettings = Object.fromEntries(SETTING_NAMES.map((name) => [name, undefined]))
  const child = spawn(process.execPath, args, {
    cwd,
    env: toChildEnvironment({ ...withoutSettings, NODE_ENV: 'test', ...env }),
    detached: true,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  let killing: NodeJS.Timeout | undefined
  const stop = () => {
    killGroup(child, 'SIGTERM')
    killing = setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS)
  }
  signal.addEventListener('abort', stop)
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (signal.aborted) reject(signal.reason)
      else resolve({ code: code ?? 1, output })
    })
  }).finally(() => {
    clearTimeout(killing)
    signal.removeEventListener('abort', stop)
  })
}
