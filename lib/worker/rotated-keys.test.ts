import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { lookAtKeys } from '#lib/cli/doctor/look-at-machine.ts'
import { provideWorkerKeys } from '#lib/cli/run/keys.ts'
import { readKeysAtHand } from '#lib/cli/run/keys-files.ts'
import { runCommand, runCommandHere } from '#lib/cli/test-support/test-command.ts'
import { type RefreshWorld, startRefreshWorld } from '#lib/connections/test-support/test-refresh-world.ts'
import { switchPool } from '#lib/db/pool.ts'
import { type JwkSet, parseSettings, settings } from '#lib/env.ts'
import { Secret } from '#lib/secret.ts'
import { careForCredentials, prepareCredentials } from './credential-care.ts'

let world: RefreshWorld
let dataDir: string
const before = settings().dataDir

beforeAll(async () => {
  world = await startRefreshWorld()
})
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tieout-rotated-'))
  await world.database.query('truncate token_key_canary')
})
afterEach(() => {
  settings().dataDir = before
  rmSync(dataDir, { recursive: true })
})
afterAll(() => world.close())

const environment = () => ({ DATABASE_URL: world.database.urls.worker, DATA_DIR: dataDir })

/** `npm run keys`, beside the worker that this process plays. */
async function keys(action: string): Promise<string> {
  const { code, stdout, stderr } = await runCommandHere(`keys ${action}`, environment())
  await switchPool(world.database.url)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

/** Becomes a worker that starts now, with the keys of the files. */
async function startAnew(): Promise<string> {
  const { tokenPublicKeys, tokenPrivateKeys } = provideWorkerKeys(parseSettings({ DATA_DIR: dataDir }))
  const publicKeys = JSON.parse(tokenPublicKeys) as JwkSet
  const tokens = { tokenPublicKeys: publicKeys, tokenPrivateKeys: new Secret(JSON.parse(tokenPrivateKeys) as JwkSet) }
  Object.assign(settings(), { dataDir, ...tokens })
  delete (globalThis as { tieoutFollowedKeys?: unknown }).tieoutFollowedKeys
  await prepareCredentials()
  return publicKeys.keys[0]?.kid as string
}

const canaries = async () =>
  (await world.database.query<{ key_id: string }>('select key_id from token_key_canary')).map((row) => row.key_id)
const care = () => careForCredentials(new AbortController().signal, null)

test('F18: a worker that runs while its key is replaced and retired asks nobody for the retired one', async () => {
  const old = await startAnew()
  await world.renew()
  expect(await canaries()).toEqual([old])
  await keys('rotate')
  await care()
  await keys('retire')
  await care()
  expect(await canaries()).toHaveLength(1)
  expect(await canaries()).not.toContain(old)

  expect(await startAnew()).not.toBe(old)
  await care()
  await world.age()
  expect(world.isLive((await world.getToken()).accessToken)).toBe(true)
  const atHand = readKeysAtHand(parseSettings({ DATA_DIR: dataDir }))
  expect(await lookAtKeys(atHand)).toEqual([expect.objectContaining({ level: 'ok', about: 'Keys' })])
})

test('F18: a worker that dies after its first key was retired is started again with the keys of now', async () => {
  await world.database.query('truncate connection cascade')
  const { TOKEN_PUBLIC_KEYS, TOKEN_PRIVATE_KEYS, ...others } = world.environment
  const given = { ...others, ...environment(), PARTNER_PRIVATE_ADDRESSES: 'allowed' }
  let running: Promise<unknown> = Promise.resolve()
  onTestFinished(async () => void (await running))
  running = runCommandHere('worker', given)
  const expectStarts = (count: number) =>
    expect.poll(() => countStarts(join(dataDir, 'logs', 'worker.log')), { timeout: 30_000 }).toBe(count)
  await expectStarts(1)
  const [old] = await canaries()
  expect((await runCommand('keys rotate', environment())).code).toBe(0)
  killWorker()
  await expectStarts(2)
  expect(await runCommand('keys retire', environment())).toMatchObject({ code: 0, stderr: '' })
  killWorker()
  await expectStarts(3)
  expect(await canaries()).not.toContain(old)
})

function countStarts(log: string): number {
  return existsSync(log) ? readFileSync(log, 'utf8').split('"ready":true').length - 1 : 0
}

/** Kills the worker that the command in this process keeps running. */
function killWorker(): void {
  const all = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'args='], { encoding: 'utf8' })
  const [, pid] = new RegExp(`^ *(\\d+) +${process.pid} .*dist/worker-`, 'm').exec(all) ?? []
  process.kill(Number(pid), 'SIGKILL')
}
