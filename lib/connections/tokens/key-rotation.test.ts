import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { type JwkSet, settings } from '#lib/env.ts'
import { Secret } from '#lib/secret.ts'
import { type RefreshWorld, startRefreshWorld, TOKEN_ENDPOINT } from '../test-support/test-refresh-world.ts'
import { assertCanaries } from './key-canary.ts'
import { resealAll } from './key-reseal.ts'
import { beginFollowingKeys, KEY_FILES, openingKeys, sealingKeys } from './key-ring.ts'
import { countKeyUse, giveUpKey, retireKey } from './key-use.ts'
import { openScimKey, storeScimKey } from './scim-key.ts'
import { generateTokenKeys } from './vault.ts'

type Pair = { publicKeys: JwkSet; privateKeys: JwkSet }

let world: RefreshWorld
let old: Pair
let fresh: Pair
const noSignal = new AbortController().signal
const unreadable = expect.objectContaining({ code: 'token-unreadable' })
const idOf = ({ publicKeys }: Pair) => publicKeys.keys[0]?.kid as string
/** Both pairs in one key ring, the first one active. */
const ringOf = (...pairs: Pair[]): Pair => ({
  publicKeys: { keys: pairs.flatMap(({ publicKeys }) => publicKeys.keys) },
  privateKeys: { keys: pairs.flatMap(({ privateKeys }) => privateKeys.keys) },
})
const configure = ({ publicKeys, privateKeys }: Pair) =>
  Object.assign(settings(), { tokenPublicKeys: publicKeys, tokenPrivateKeys: new Secret(privateKeys) })

beforeAll(async () => {
  world = await startRefreshWorld()
  fresh = await generateTokenKeys()
  old = {
    publicKeys: settings().tokenPublicKeys as JwkSet,
    privateKeys: settings().tokenPrivateKeys?.reveal() as JwkSet,
  }
})
afterAll(() => world.close())
beforeEach(async () => {
  configure(old)
  await world.renew()
  await world.database.query('truncate token_key_canary')
  await assertCanaries(old)
})

test('F18: reseals everything to a new key while the connection works, then retires the old key', async () => {
  const { organizationId, connectionId, userId } = world
  await storeScimKey(organizationId, connectionId, 'scim-secret', {
    changedBy: personOf(userId),
    publicKeys: old.publicKeys,
  })
  // an answer that this version cannot read is sealed too
  await world.age()
  const replace: [string, string][] = [['"access_token"', '"at"']]
  world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, action: { type: 'rewrite', replace } })
  await expect(world.getToken()).rejects.toMatchObject({ code: 'partner-bad-answer' })
  expect(await retireKey(idOf(old))).toMatchObject({ total: 3, rows: { tokens: 1, 'scim keys': 1, 'kept answers': 1 } })

  const ring = ringOf(fresh, old)
  configure(ring)
  await assertCanaries(ring)
  expect(await resealAll(noSignal)).toEqual({ resealed: 3, unreadable: 0, remaining: 0 })
  expect(await resealAll(noSignal)).toEqual({ resealed: 0, unreadable: 0, remaining: 0 })
  const use = await countKeyUse()
  expect(use.map(({ keyId, total }) => [keyId, total])).toEqual([
    [idOf(old), 0],
    [idOf(fresh), 3],
  ])
  expect(await retireKey(idOf(old))).toBe(null)

  configure(fresh)
  await assertCanaries(fresh)
  expect(await openScimKey(organizationId, connectionId, fresh.privateKeys)).toBe('scim-secret')
  const { recoverKeptAnswers } = await import('./spool-replay.ts')
  const { processTokenResponse } = await import('#lib/partner/oauth/oauth-requests.ts')
  const reader: typeof processTokenResponse = (status, headers, body, now) =>
    processTokenResponse(status, headers, body.toString().replace('"at"', '"access_token"'), now)
  expect(await recoverKeptAnswers(reader)).toBe(1)
  expect(world.isLive((await world.getToken()).accessToken)).toBe(true)
})

test('F18: a refresh that began under the old key succeeds when the key is rotated meanwhile', async () => {
  await world.age()
  const failpoint = async (place: string) => {
    if (place !== 'after-receive') return
    configure(ringOf(fresh, old))
    await resealAll(noSignal)
  }
  const { accessToken, generation } = await world.getToken({ failpoint })
  expect([generation, world.isLive(accessToken)]).toEqual([2, true])
  expect((await countKeyUse()).find(({ keyId }) => keyId === idOf(fresh))).toMatchObject({ rows: { tokens: 1 } })
})

test('F18: a worker that lacks a key that sealed something does not start', async () => {
  await expect(assertCanaries(fresh)).rejects.toEqual(unreadable)
  await expect(assertCanaries(fresh)).rejects.toThrow(idOf(old))
  const forged = { keys: fresh.privateKeys.keys.map((key) => ({ ...key, kid: idOf(old) })) }
  await expect(assertCanaries({ publicKeys: old.publicKeys, privateKeys: forged })).rejects.toEqual(unreadable)
})

test('F18: a swapped or damaged row is refused and never resealed', async () => {
  const first = world.connectionId
  const { connectionId: second } = await world.connect('meridian')
  await world.database.query(
    `update connection_credential k set sealed_tokens = o.sealed_tokens
     from connection_credential o where o.organization_id = k.organization_id and o.connection_id <> k.connection_id`,
  )
  await expect(world.getToken()).rejects.toEqual(unreadable)
  configure(ringOf(fresh, old))
  expect(await resealAll(noSignal)).toEqual({ resealed: 0, unreadable: 2, remaining: 2 })
  await world.age()
  await expect(world.getToken()).rejects.toEqual(unreadable)
  expect(world.refreshes()).toEqual({})
  expect([first, second]).toContain(world.connectionId)
  const { listOperatorNotices } = await import('../events/operator-notices.ts')
  expect(await listOperatorNotices(world.organizationId)).toMatchObject([{ kind: 'token_unreadable' }])
})

test('giving up a lost key makes its connections ask for a reconnect and keep their data', async () => {
  expect(() => giveUpKey(idOf(old), idOf(old))).toThrow('active')
  expect(await giveUpKey(idOf(old), idOf(fresh))).toBe(1)
  configure(fresh)
  await assertCanaries(fresh)
  const [row] = await world.database.query('select state, state_cause from connection where id = $1', [
    world.connectionId,
  ])
  expect(row).toEqual({ state: 'needs_reconnect', state_cause: 'key_lost' })
  expect(await countKeyUse()).toMatchObject([{ keyId: idOf(fresh), total: 0 }])
})

let time = 1_800_000_000

/** Begins with a data directory whose key files are written by the function returned. */
function useKeyFiles(): (pair: Pair) => void {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-keys-'))
  const before = settings().dataDir
  settings().dataDir = folder
  mkdirSync(join(folder, 'keys'))
  onTestFinished(() => {
    settings().dataDir = before
    rmSync(folder, { recursive: true })
  })
  return ({ publicKeys, privateKeys }) => {
    const files = { [KEY_FILES.publicKeys]: publicKeys, [KEY_FILES.privateKeys]: privateKeys }
    for (const [name, keys] of Object.entries(files)) {
      const file = join(folder, 'keys', name)
      // another file each time, as when it is replaced: its time of change is how it is noticed
      rmSync(file, { force: true })
      writeFileSync(file, JSON.stringify(keys))
      time += 1
      utimesSync(file, time, time)
    }
  }
}

test('F18: running processes follow the key files they were started from, and no others', () => {
  const write = useKeyFiles()
  write(fresh) // keys of another installation
  expect(sealingKeys()).toEqual(old.publicKeys)
  expect(openingKeys()).toEqual(old.privateKeys)
  write(ringOf(fresh, old))
  expect(sealingKeys().keys[0]?.kid).toBe(idOf(fresh))
  expect(openingKeys().keys).toHaveLength(2)
})

test('F18: a process that seals nothing while its key is replaced and retired seals to the new one then', () => {
  const write = useKeyFiles()
  write(old)
  beginFollowingKeys()
  write(ringOf(fresh, old))
  write(fresh)
  expect(sealingKeys()).toEqual(fresh.publicKeys)
})
