/**
 * The program that an installation runs, as `npm run build` makes it, in a folder with the app's
 * files and the packages that it may load.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { SETTING_NAMES, toChildEnvironment } from '#lib/env.ts'
import { buildProgram } from './builds/program-build.ts'
import { WEB_SOURCES } from './builds/web-build.ts'
import { buildWorker, NOT_BUNDLED } from './builds/worker-build.ts'
import { projectRoot } from './run/project-root.ts'

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
/** Loaded by the bundles; whatever else they need is inside. */
const LOADED = Object.keys(manifest.dependencies).filter((name) =>
  NOT_BUNDLED.some((each) => (each.endsWith('/*') ? name.startsWith(each.slice(0, -1)) : name === each)),
)

let database: TestDatabase
let root: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  database = await createTestDatabase()
  root = mkdtempSync(join(tmpdir(), 'tieout-built-'))
  buildWorker()
  buildProgram()
  for (const path of [...WEB_SOURCES, 'prisma/migrations', ...LOADED.map((name) => `node_modules/${name}`)]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(projectRoot, path), join(root, path))
  }
  cpSync(join(projectRoot, 'dist'), join(root, 'dist'), { recursive: true })
  const none = Object.fromEntries(SETTING_NAMES.map((name) => [name, undefined]))
  environment = toChildEnvironment({
    ...none,
    VITEST: undefined,
    NODE_ENV: 'production',
    DATA_DIR: join(root, 'data'),
    PARTNER_BASE_URL: 'http://127.0.0.1:1',
    PARTNER_AUTH_URL: 'http://127.0.0.1:1',
    PARTNER_CLIENT_ID: 'client',
    PARTNER_CLIENT_SECRET: 'secret',
    PARTNER_PRIVATE_ADDRESSES: 'allowed',
    PORT: String(await findFreePort()),
  })
})
afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  await database.drop()
})

type Started = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

function start(command: string, settings: Record<string, string>): Started {
  const child = spawn(process.execPath, ['dist/tieout.mjs', ...command.split(' ')], {
    cwd: root,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return { child, output: () => output, ended: new Promise((resolve) => child.once('close', resolve)) }
}

async function run(command: string, settings: Record<string, string>): Promise<string> {
  const { ended, output } = start(command, settings)
  expect(await ended, output()).toBe(0)
  return output()
}

test('the built program migrates, looks and lists with packages of production alone', async () => {
  expect(LOADED).not.toContain('esbuild')
  const roles = { DATABASE_WEB_ROLE: 'tieout_web', DATABASE_WORKER_ROLE: 'tieout_worker' }
  expect(await run('migrate', { DATABASE_OWNER_URL: database.url, ...roles })).toContain('up to date')
  expect(await run('keys status', { DATABASE_URL: database.urls.worker })).not.toBe('')
  expect(await run('users list', { DATABASE_URL: database.urls.web })).toContain('There is no user')
  expect(await start('doctor', { DATABASE_URL: database.urls.worker }).ended).toBe(1) // its platform answers nobody
})

test('the built program runs the built worker, and ends with it', async () => {
  const { child, output, ended } = start('worker', { DATABASE_URL: database.urls.worker })
  const log = join(root, 'data', 'logs', 'worker.log')
  const isReady = () => existsSync(log) && readFileSync(log, 'utf8').includes('"ready":true')
  await expect.poll(() => isReady() || child.exitCode !== null, { timeout: 60_000 }).toBe(true)
  expect(child.exitCode, output()).toBeNull()
  child.kill('SIGTERM')
  expect(await ended, output()).toBe(0)
  expect(output()).not.toContain('is started again')
})

test('the built program does not run on files that it was not built of', async () => {
  const changed = join(root, 'proxy.ts')
  const text = readFileSync(changed)
  rmSync(changed) // a link
  writeFileSync(changed, `${text}// a later version\n`)
  const { ended, output } = start('users list', { DATABASE_URL: database.urls.web })
  expect(await ended).toBe(1)
  expect(output()).toBe('What is built here is not of these files: run `npm run build`, then start it again.\n')
  writeFileSync(changed, text)
})
