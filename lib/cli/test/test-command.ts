import { spawn } from 'node:child_process'
import { SETTING_NAMES, toChildEnvironment } from '#lib/env.ts'
import { projectRoot } from '../run/project-root.ts'

export type Ended = { code: number | null; stdout: string; stderr: string }

/**
 * For tests: runs the command line as `npm start` does, without the installation, and waits for its
 * end.
 */
export function runCommand(command: string, environment: Record<string, string>, account = {}): Promise<Ended> {
  const none = Object.fromEntries(SETTING_NAMES.map((name) => [name, undefined]))
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', ...command.split(' ')], {
    cwd: projectRoot,
    env: toChildEnvironment({ ...none, VITEST: undefined, ...environment }),
    ...account,
  })
  const ended: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    ended.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    ended.stderr += chunk
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...ended, code })))
}
