import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccount, reachableFolder } from '#lib/db/embedded-account.ts'
import { isPortFree } from './run/port-check.ts'
import { projectRoot } from './run/project-root.ts'
import { runCommand, runCommandHere } from './test-support/test-command.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-start-'))
  chmodSync(folder, 0o777)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('says in one sentence which variables are wrong, and starts nothing', async () => {
  const dataDir = join(folder, 'bad-variable')
  const { code, stdout, stderr } = await runCommand('start', { DATA_DIR: dataDir, PORT: 'x', LOG_LEVEL: 'loud' })
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toEqual([
    'PORT: must be a whole number from 1 to 65535.',
    'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent.',
  ])
  expect(existsSync(dataDir)).toBe(false)
})

test('says in one sentence that the port is in use, and starts nothing', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const dataDir = join(folder, 'port-in-use')
  const { code, stderr } = await runCommandHere('start', { DATA_DIR: dataDir, PORT: String(port) })
  server.close()
  expect(code).toBe(1)
  expect(stderr).toBe(`Port ${port} is in use: choose another, for instance \`PORT=${port + 1} npm start\`.\n`)
  expect(readdirSync(dataDir)).toEqual(['logs'])
})

test('says in one sentence that the data directory is not a directory', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const { code, stderr } = await runCommandHere('start', { DATA_DIR: join(file, 'data') })
  expect(code).toBe(1)
  expect(stderr).toBe(`The data directory ${file}/data can't be written (ENOTDIR): choose another with DATA_DIR.\n`)
})

const account = findAccount() ?? {}
const canRun = spawnSync('test', ['-r', 'lib/cli/main.ts'], { cwd: projectRoot, ...account }).status === 0

test.runIf(canRun)('says in one sentence that an ordinary user may not write the data directory', async () => {
  const closed = mkdtempSync(join(folder, 'closed-'))
  chmodSync(closed, 0o555)
  const { code, stderr } = await runCommand('start', { DATA_DIR: join(closed, 'data') }, account)
  expect(code).toBe(1)
  expect(stderr).toBe(`The data directory ${closed}/data can't be written (EACCES): choose another with DATA_DIR.\n`)
})

test('stops the database that it started once its work is done', async () => {
  const dataDir = mkdtempSync(join(folder, 'migrate-'))
  const { code, stdout, stderr } = await runCommand('migrate', { DATA_DIR: dataDir })
  const postgres = join(dataDir, 'postgres')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toContain('Database schema')
  const { port } = JSON.parse(readFileSync(join(postgres, 'server.json'), 'utf8')) as { port: number }
  expect(await isPortFree(port)).toBe(true)
  rmSync(reachableFolder(postgres, findAccount()), { recursive: true })
})

test('says in one sentence that the configured database cannot be reached', async () => {
  const environment = { DATA_DIR: join(folder, 'no-database'), DATABASE_URL: 'postgresql://someone@127.0.0.1:1/books' }
  const { code, stderr } = await runCommandHere('migrate', environment)
  expect(code).toBe(1)
  expect(stderr).toContain("The database at 127.0.0.1:1 (DATABASE_URL) can't be used: connect ECONNREFUSED")
})

test('refuses a Node that is too old with one sentence, before anything is installed', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' }); await import('./lib/cli/bootstrap.mjs')`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', pretend], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toBe(
    'Tieout needs Node 20.19 or later and this is Node 20.18.3: install the current LTS from https://nodejs.org.\n',
  )
})
