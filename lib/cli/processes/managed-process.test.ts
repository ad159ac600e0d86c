import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { identityOf, isAlive } from '#lib/db/process-identity.ts'
import { toChildEnvironment } from '#lib/env.ts'
import { projectRoot } from '../run/project-root.ts'
import { startProcess } from './managed-process.ts'

let folder: string
let logFile: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-process-'))
  logFile = join(folder, 'out.log')
})
afterEach(() => rmSync(folder, { recursive: true }))

const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`
/** Starts a child in the same group, prints its id, and stops politely. */
const WITH_CHILD = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}]);
  child.stdout.once('data', () => console.log(child.pid)); process.on('SIGTERM', () => process.exit(0))`

function start(code: string, stopWithinMs: number) {
  return startProcess({ args: ['-e', code], env: toChildEnvironment({}), logFile, stopWithinMs })
}

function firstWord(): Promise<string> {
  return vi.waitFor(() => {
    const [word = ''] = readFileSync(logFile, 'utf8').split('\n')
    expect(word).not.toBe('')
    return word
  }, 10_000)
}

test('stops a process politely, with everything it has started', async () => {
  const process = start(WITH_CHILD, 10_000)
  const grandchild = identityOf(Number(await firstWord()))
  expect(isAlive(grandchild)).toBe(true)
  await process.stop(false)
  expect(await process.exited).toBe('exit code 0')
  await vi.waitFor(() => expect(isAlive(grandchild)).toBe(false), 10_000)
})

test('kills a process that does not stop in time', async () => {
  const process = start(STUBBORN, 50)
  await firstWord()
  await process.stop(false)
  expect(await process.exited).toBe('signal SIGKILL')
})

test('kills at once when it is forced', async () => {
  const process = start(STUBBORN, 60_000)
  await firstWord()
  await process.stop(true)
  expect(await process.exited).toBe('signal SIGKILL')
})

test('lets no process outlive the command that started it, even a killed one', async () => {
  const parent = join(folder, 'parent.ts')
  const module = JSON.stringify(join(projectRoot, 'lib/cli/processes/managed-process.ts'))
  const options = { args: ['-e', `setInterval(() => {}, 1000); console.log(process.pid)`], logFile, stopWithinMs: 1000 }
  writeFileSync(
    parent,
    `import { startProcess } from ${module}; startProcess({ env: process.env, ...${JSON.stringify(options)} })`,
  )
  const command = spawn(process.execPath, ['--import', 'tsx', parent], { cwd: projectRoot })
  const child = identityOf(Number(await firstWord()))
  command.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(child)).toBe(false), 10_000)
})
