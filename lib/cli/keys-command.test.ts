import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type JwkSet, parseSettings, type Settings } from '#lib/env.ts'
import { describeKeys } from './keys-command.ts'
import { provideKeys } from './run/keys.ts'
import { addKey, readRing, removeKey, writeRing } from './run/keys-files.ts'

let dataDir: string
const settingsOf = (variables: Record<string, string> = {}): Settings =>
  parseSettings({ DATA_DIR: dataDir, ...variables })
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as JwkSet

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tieout-keys-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

test('the next start uses a rotated ring: the new key in front, the old one behind, for this user only', () => {
  const settings = settingsOf()
  const before = readRing(settings)
  const files = writeRing(settings, addKey(before), true)
  const after = readRing(settings)
  expect(after.keys.slice(1)).toEqual(before.keys)
  expect(after.keys[0]?.kid).not.toBe(before.keys[0]?.kid)
  const { tokenPublicKeys } = provideKeys(settings)
  expect((JSON.parse(tokenPublicKeys) as JwkSet).keys.map(({ kid }) => kid)).toEqual(after.keys.map(({ kid }) => kid))
  expect(tokenPublicKeys).not.toContain('"d"')
  for (const file of Object.values(files)) expect(statSync(file).mode & 0o777).toBe(0o600)
  writeRing(settings, removeKey(after, before.keys[0]?.kid ?? ''), false)
  expect(readRing(settings).keys).toEqual(after.keys.slice(0, 1))
})

test('writes new keys beside those that variables configure, and overwrites nothing', () => {
  const made = provideKeys(settingsOf())
  const elsewhere = settingsOf({ TOKEN_PUBLIC_KEYS: made.tokenPublicKeys, TOKEN_PRIVATE_KEYS: made.tokenPrivateKeys })
  const { publicKeys, privateKeys } = writeRing(elsewhere, addKey(readRing(elsewhere)), true)
  expect([publicKeys, privateKeys].every((file) => file.includes('/next-token-'))).toBe(true)
  expect(read(privateKeys).keys).toHaveLength(2)
  expect(readRing(settingsOf()).keys).toHaveLength(1)
})

test('the status names what is sealed to which key, and which key is missing', () => {
  const rows = { tokens: 0, consents: 0, 'scim keys': 0, 'kept answers': 0, 'spooled answers': 0 }
  const text = describeKeys(
    ['new', 'old'],
    [
      { keyId: 'old', hasCanary: true, rows: { ...rows, tokens: 3, 'scim keys': 1 }, total: 4 },
      { keyId: 'gone', hasCanary: true, rows: { ...rows, tokens: 1 }, total: 1 },
      { keyId: 'new', hasCanary: true, rows: { ...rows, tokens: 5 }, total: 5 },
    ],
  )
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    'new  active; 5 tokens',
    'old  opens only; 3 tokens, 1 scim keys',
    'gone  MISSING: see docs/operations.md; 1 tokens',
    'Sealed to the active key: 5 of 10',
  ])
})
