import { spawn } from 'node:child_process'
import { SETTING_NAMES, toChildEnvironment } from '../env.ts'
import { projectRoot } from './project-root.ts'

export type ToolRun = {
  args: string[]
  env?: Record<string, string>
  signal: AbortSignal
  /** False keeps the output back until it is known whether it is needed. */
  isShown: boolean
}

/**
 * Runs a Node program for a part of the tests and answers with its exit code. It gets none of our settings, so that the
 * tests cannot reach a real database or partner by accident.
 */
export function runTestTool({ args, env = {}, signal, isShown }: ToolRun): Promise<{ code: number; output: string }> {
  signal.throwIfAborted()
  const withoutSettings = Object.fromEntries(SETTING_NAMES.map((name) => [name, undefined]))
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: toChildEnvironment({ ...withoutSettings, NODE_ENV: 'test', ...env }),
    detached: true,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const stop = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM')
  signal.addEventListener('abort', stop)
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (signal.aborted) reject(signal.reason)
      else resolve({ code: code ?? 1, output })
    })
  }).finally(() => signal.removeEventListener('abort', stop))
}
