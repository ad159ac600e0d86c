import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseSettings, type Settings, SettingsError } from '#lib/env.ts'
import { provideKeys, provideWebKeys, provideWorkerKeys, type WebKeys, type WorkerKeys } from '../run/keys.ts'
import { toWebEnvironment, toWorkerEnvironment } from './prepare.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tieout-keys-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function settingsOf(variables: Record<string, string> = {}): Settings {
  return parseSettings({ DATA_DIR: dataDir, ...variables })
}

function keysOf(variables: Record<string, string> = {}): WebKeys & WorkerKeys {
  return provideKeys(settingsOf(variables))
}

test('makes keys once, for this user only, and returns the same ones from then on', () => {
  const keys = keysOf()
  expect(keysOf()).toEqual(keys)
  expect(keys.sessionSecret.length).toBeGreaterThanOrEqual(64)
  for (const name of ['session-secret', 'token-private-keys.json', 'token-public-keys.json'])
    expect(statSync(join(dataDir, 'keys', name)).mode & 0o777, name).toBe(0o600)
})

test('makes a P-256 key for ECDH-ES whose public half holds no secret', () => {
  const { tokenPublicKeys, tokenPrivateKeys } = keysOf()
  const [open] = JSON.parse(tokenPublicKeys).keys
  const [secret] = JSON.parse(tokenPrivateKeys).keys
  expect(open).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES', kid: secret.kid })
  expect(open).not.toHaveProperty('d')
  expect(secret).toEqual({ ...open, d: expect.any(String) })
})

const set = (kid: string, extra = {}) => JSON.stringify({ keys: [{ kid, kty: 'EC', ...extra }] })

test('takes configured keys unchanged, and refuses the public half without the private one', () => {
  const configured = { TOKEN_PUBLIC_KEYS: set('a'), TOKEN_PRIVATE_KEYS: set('b'), SESSION_SECRET: 'x'.repeat(32) }
  expect(keysOf(configured)).toEqual({
    sessionSecret: 'x'.repeat(32),
    tokenPublicKeys: set('a'),
    tokenPrivateKeys: set('b'),
  })
  expect(() => keysOf({ TOKEN_PUBLIC_KEYS: set('a') })).toThrow(
    new SettingsError(['TOKEN_PRIVATE_KEYS: is missing, while TOKEN_PUBLIC_KEYS is set.']),
  )
  expect(existsSync(join(dataDir, 'keys', 'token-private-keys.json'))).toBe(false)
})

test('derives a worker’s public keys from the private ones, without a session secret', () => {
  const settings = settingsOf({ TOKEN_PRIVATE_KEYS: set('a', { d: 'secret' }) })
  expect(provideWorkerKeys(settings)).toEqual({
    tokenPublicKeys: set('a'),
    tokenPrivateKeys: set('a', { d: 'secret' }),
  })
  expect(existsSync(join(dataDir, 'keys'))).toBe(false)
})

const ELSEWHERE = { DATABASE_URL: 'postgresql://db.example.com/tieout', SESSION_SECRET: 'x'.repeat(32) }

test('A24: the web server makes no keys for a database elsewhere, and says where the right ones are', () => {
  const file = join(dataDir, 'keys', 'token-public-keys.json')
  expect(() => provideWebKeys(settingsOf(ELSEWHERE))).toThrow(
    new SettingsError([
      `TOKEN_PUBLIC_KEYS: is missing, and ${file} is not there; where the worker runs, \`npm run keys -- public\` prints the set.`,
    ]),
  )
  expect(readdirSync(dataDir)).toEqual([])
})

test('of two web servers on a database elsewhere none makes a session secret that the other does not have', () => {
  const variables = { ...ELSEWHERE, SESSION_SECRET: '', TOKEN_PUBLIC_KEYS: set('a') }
  const file = join(dataDir, 'keys', 'session-secret')
  expect(() => provideWebKeys(settingsOf(variables))).toThrow(
    `SESSION_SECRET: is missing, and ${file} is not there; all web servers of a database need the same one`,
  )
  expect(readdirSync(dataDir)).toEqual([])
  mkdirSync(join(dataDir, 'keys'))
  writeFileSync(file, 'a secret that an earlier version has made') // goes on working
  expect(provideWebKeys(settingsOf(variables)).sessionSecret).toBe('a secret that an earlier version has made')
})

test('A24: the web server starts with public keys alone: configured, or from the file with the worker’s', () => {
  expect(provideWebKeys(settingsOf({ ...ELSEWHERE, TOKEN_PUBLIC_KEYS: set('a') })).tokenPublicKeys).toBe(set('a'))
  mkdirSync(join(dataDir, 'keys'))
  writeFileSync(join(dataDir, 'keys', 'token-public-keys.json'), set('b'))
  expect(Object.keys(provideWebKeys(settingsOf(ELSEWHERE))).sort()).toEqual(['sessionSecret', 'tokenPublicKeys'])
  expect(provideWebKeys(settingsOf(ELSEWHERE)).tokenPublicKeys).toBe(set('b'))
})

test('A24: the web server refuses a private key in every form', () => {
  expect(() => provideWebKeys(settingsOf({ TOKEN_PRIVATE_KEYS: set('a', { d: 'secret' }) }))).toThrow(
    'TOKEN_PRIVATE_KEYS: is for workers alone; take it out of the environment of the web server',
  )
  expect(() => settingsOf({ TOKEN_PUBLIC_KEYS: set('a', { d: 'secret' }) })).toThrow(
    'TOKEN_PUBLIC_KEYS: must hold no private part (d)',
  )
  mkdirSync(join(dataDir, 'keys'))
  const file = join(dataDir, 'keys', 'token-public-keys.json')
  writeFileSync(file, set('a', { d: 'secret' }))
  expect(() => provideWebKeys(settingsOf(ELSEWHERE))).toThrow(`${file}: must hold no private part (d)`)
})

test('A24: beside the embedded database the first process to start makes the one pair of keys', () => {
  const { tokenPublicKeys } = provideWebKeys(settingsOf())
  expect(provideWorkerKeys(settingsOf()).tokenPublicKeys).toBe(tokenPublicKeys)
})

describe('environments', () => {
  const variables = {
    TOKEN_PRIVATE_KEYS: set('ours', { d: 'a private part' }),
    DATABASE_OWNER_URL: 'postgresql://owner:of-the-tables@db.example.com/tieout',
    ADMIN_PASSWORD: 'a long password',
    SESSION_SECRET: 'a session secret of the environment',
  }
  beforeEach(() => void Object.assign(process.env, variables))
  afterEach(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
  })

  test('A24: never give the web server the keys that open tokens, though our own environment has them', () => {
    const keys = keysOf()
    const databaseUrls = { web: 'postgresql://web@x', worker: 'postgresql://worker@x' }
    const prepared = { settings: settingsOf(), databaseUrls, keys }
    const web = toWebEnvironment(prepared, {}, 'production')
    const worker = toWorkerEnvironment(prepared, {}, 'production')
    expect(web).not.toHaveProperty('TOKEN_PRIVATE_KEYS')
    expect(JSON.stringify(web)).not.toContain(JSON.parse(keys.tokenPrivateKeys).keys[0].d)
    expect(JSON.stringify(web)).not.toContain('a private part')
    expect(web).toMatchObject({ DATABASE_URL: databaseUrls.web, TOKEN_PUBLIC_KEYS: keys.tokenPublicKeys })
    expect(worker).toMatchObject({ DATABASE_URL: databaseUrls.worker, TOKEN_PRIVATE_KEYS: keys.tokenPrivateKeys })
    expect(worker).not.toHaveProperty('SESSION_SECRET')
    for (const environment of [web, worker]) {
      expect(environment).not.toHaveProperty('ADMIN_PASSWORD')
      expect(environment).not.toHaveProperty('DATABASE_OWNER_URL')
      expect(JSON.stringify(environment)).not.toContain('of-the-tables')
    }
  })
})
