import { beforeAll, expect, test } from 'vitest'
import type { JwkSet } from '#lib/env.ts'
import { assertVaultOpens, generateTokenKeys, openBytes, openTokens, sealBytes, sealTokens } from './vault.ts'

type Keys = { publicKeys: JwkSet; privateKeys: JwkSet }
let old: Keys
let current: Keys
const tokens = { accessToken: 'access-1', refreshToken: 'refresh-1' }
const here = { connectionId: 'connection-1', generation: 3 }
const unreadable = expect.objectContaining({ code: 'token-unreadable' })

beforeAll(async () => {
  old = await generateTokenKeys()
  current = await generateTokenKeys()
})

test('opens what it sealed, with key id, connection and generation in the protected header', async () => {
  const { sealed, keyId } = await sealTokens(tokens, here, current.publicKeys)
  expect(await openTokens(sealed, here, current.privateKeys)).toEqual(tokens)
  const header = JSON.parse(Buffer.from(sealed.split('.')[0] ?? '', 'base64url').toString())
  expect(header).toMatchObject({ alg: 'ECDH-ES', enc: 'A256GCM', kid: keyId, cid: 'connection-1', gen: 3 })
  expect(keyId).toBe(current.publicKeys.keys[0]?.kid)
})

test('A24: public keys hold no private part and open nothing', async () => {
  expect(Object.keys(current.publicKeys.keys[0] ?? {})).not.toContain('d')
  const { sealed } = await sealTokens(tokens, here, current.publicKeys)
  await expect(openTokens(sealed, here, current.publicKeys)).rejects.toEqual(unreadable)
})

test('F18: seals to the first key and opens with any key of the key ring', async () => {
  const before = await sealTokens(tokens, here, old.publicKeys)
  const rotated = { keys: [...current.publicKeys.keys, ...old.publicKeys.keys] }
  const ring = { keys: [...current.privateKeys.keys, ...old.privateKeys.keys] }
  const after = await sealTokens(tokens, here, rotated)
  expect(after.keyId).toBe(current.publicKeys.keys[0]?.kid)
  for (const { sealed } of [before, after]) expect(await openTokens(sealed, here, ring)).toEqual(tokens)
})

test('F18: refuses when the key is gone', async () => {
  const { sealed } = await sealTokens(tokens, here, old.publicKeys)
  await expect(openTokens(sealed, here, current.privateKeys)).rejects.toEqual(unreadable)
})

test.each([
  ['another connection', { ...here, connectionId: 'connection-2' }],
  ['another generation', { ...here, generation: 4 }],
])('F18: refuses a ciphertext moved to %s', async (_, elsewhere) => {
  const { sealed } = await sealTokens(tokens, here, current.publicKeys)
  await expect(openTokens(sealed, elsewhere, current.privateKeys)).rejects.toEqual(unreadable)
})

test('F18: refuses a ciphertext with any one bit flipped', async () => {
  const { sealed } = await sealTokens(tokens, here, current.publicKeys)
  const parts = sealed.split('.')
  for (const [index, part] of parts.entries()) {
    if (part === '') continue
    const bytes = Buffer.from(part, 'base64url')
    const at = bytes.length >> 1
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const flipped = parts.with(index, bytes.toString('base64url')).join('.')
    await expect(openTokens(flipped, here, current.privateKeys)).rejects.toEqual(unreadable)
  }
  await expect(openTokens('not a token', here, current.privateKeys)).rejects.toEqual(unreadable)
})

test('sealed bytes never open as tokens', async () => {
  const { sealed } = await sealBytes(Buffer.from('{"access_token":"a"}'), here, current.publicKeys)
  expect((await openBytes(sealed, here, current.privateKeys)).toString()).toBe('{"access_token":"a"}')
  await expect(openTokens(sealed, here, current.privateKeys)).rejects.toEqual(unreadable)
})

test('F18: a worker that could not open what is being sealed does not start', async () => {
  await assertVaultOpens(current.publicKeys, current.privateKeys)
  await expect(assertVaultOpens(current.publicKeys, old.privateKeys)).rejects.toEqual(unreadable)
  const mixed = { keys: [...current.publicKeys.keys, ...old.publicKeys.keys] }
  await expect(assertVaultOpens(mixed, current.privateKeys)).rejects.toEqual(unreadable)
})
