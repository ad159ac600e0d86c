import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_FILES } from '../connections/key-ring.ts'
import { type Settings, SettingsError } from '../env.ts'

export type Keys = {
  sessionSecret: string
  /** JWK set in JSON: what seals tokens (RFC 7517). */
  tokenPublicKeys: string
  /** JWK set in JSON: what opens them; for the worker alone. */
  tokenPrivateKeys: string
}

/**
 * The keys as configured; what is not configured is made once and kept under `DATA_DIR/keys`, readable by this user only.
 * @throws SettingsError when only one of the two token key sets is configured, for they belong together.
 */
export function provideKeys(settings: Settings): Keys {
  const folder = join(settings.dataDir, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const sessionSecret =
    settings.sessionSecret ?? readOrMake(join(folder, 'session-secret'), () => randomBytes(48).toString('base64url'))
  return { sessionSecret, ...provideTokenKeys(settings, folder) }
}

function provideTokenKeys(settings: Settings, folder: string): Omit<Keys, 'sessionSecret'> {
  const { tokenPublicKeys, tokenPrivateKeys } = settings
  if (tokenPublicKeys && tokenPrivateKeys)
    return { tokenPublicKeys: JSON.stringify(tokenPublicKeys), tokenPrivateKeys: JSON.stringify(tokenPrivateKeys) }
  if (tokenPublicKeys) throw new SettingsError(['TOKEN_PRIVATE_KEYS: is missing, while TOKEN_PUBLIC_KEYS is set.'])
  if (tokenPrivateKeys) throw new SettingsError(['TOKEN_PUBLIC_KEYS: is missing, while TOKEN_PRIVATE_KEYS is set.'])
  const privateText = readOrMake(join(folder, KEY_FILES.privateKeys), makePrivateKeySet)
  const publicText = readOrMake(join(folder, KEY_FILES.publicKeys), () => toPublicKeySet(privateText))
  return { tokenPublicKeys: publicText, tokenPrivateKeys: privateText }
}

function readOrMake(file: string, make: () => string): string {
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8')
}

/** A set with one new P-256 key for ECDH-ES; its id is the RFC 7638 thumbprint. */
export function makePrivateKeySet(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { crv, d, kty, x, y } = privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return JSON.stringify({ keys: [{ kty, crv, x, y, d, kid, use: 'enc', alg: 'ECDH-ES' }] })
}

/** The set without its private parts. */
export function toPublicKeySet(privateKeySet: string): string {
  const { keys } = JSON.parse(privateKeySet) as { keys: Record<string, string>[] }
  return JSON.stringify({ keys: keys.map(({ d: _private, ...publicPart }) => publicPart) })
}
