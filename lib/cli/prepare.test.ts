import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseSettings, SettingsError } from '../env.ts'
import { type Keys, provideKeys } from './keys.ts'
import { toWebEnvironment, toWorkerEnvironment } from './prepare.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tieout-keys-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function keysOf(variables: Record<string, string> = {}): Keys {
  return provideKeys(parseSettings({ DATA_DIR: dataDir, ...variables }))
}

test('makes keys once, for this user only, and gives the same ones from then on', () => {
  const keys = keysOf()
  expect(keysOf()).toEqual(keys)
  expect(keys.sessionSecret.length).toBeGreaterThanOrEqual(64)
  for (const name of ['session-secret', 'token-private-keys.json', 'token-public-keys.json'])
    expect(statSync(join(dataDir, 'keys', name)).mode & 0o777, name).toBe(0o600)
})

test('makes a P-256 key for ECDH-ES whose public half has no secret in it', () => {
  const { tokenPublicKeys, tokenPrivateKeys } = keysOf()
  const [open] = JSON.parse(tokenPublicKeys).keys
  const [secret] = JSON.parse(tokenPrivateKeys).keys
  expect(open).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES', kid: secret.kid })
  expect(open).not.toHaveProperty('d')
  expect(secret).toEqual({ ...open, d: expect.any(String) })
})

test('takes configured keys as they are, and refuses one half of a pair', () => {
  const set = (kid: string) => JSON.stringify({ keys: [{ kid, kty: 'EC' }] })
  const configured = { TOKEN_PUBLIC_KEYS: set('a'), TOKEN_PRIVATE_KEYS: set('b'), SESSION_SECRET: 'x'.repeat(32) }
  expect(keysOf(configured)).toEqual({
    sessionSecret: 'x'.repeat(32),
    tokenPublicKeys: set('a'),
    tokenPrivateKeys: set('b'),
  })
  for (const name of ['TOKEN_PUBLIC_KEYS', 'TOKEN_PRIVATE_KEYS'])
    expect(() => keysOf({ [name]: set('a') })).toThrow(SettingsError)
})

test('never hands the keys that open tokens to the web server, nor the session secret to the worker', () => {
  const keys = keysOf()
  const prepared = {
    settings: parseSettings({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'a long password' }),
    databaseUrl: 'postgresql://x',
    keys,
  }
  const web = toWebEnvironment(prepared, {}, 'production')
  const worker = toWorkerEnvironment(prepared, {}, 'production')
  expect(web).not.toHaveProperty('TOKEN_PRIVATE_KEYS')
  expect(JSON.stringify(web)).not.toContain(JSON.parse(keys.tokenPrivateKeys).keys[0].d)
  expect(worker.TOKEN_PRIVATE_KEYS).toBe(keys.tokenPrivateKeys)
  expect(worker).not.toHaveProperty('SESSION_SECRET')
  for (const environment of [web, worker]) expect(environment).not.toHaveProperty('ADMIN_PASSWORD')
})
