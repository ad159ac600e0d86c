import { createHash, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_FILES } from '#lib/connections/tokens/key-ring.ts'
import type { Process } from '#lib/db/access.ts'
import { type JwkSet, parsePrivateKeys, parsePublicKeys, type Settings, SettingsError } from '#lib/env.ts'
import { generateKeyPair } from '#lib/key-pair.ts'

/** What the web server needs: it signs sessions and seals tokens. */
export type WebKeys = {
  sessionSecret: string
  /** JWK set in JSON that seals tokens (RFC 7517). */
  tokenPublicKeys: string
}

/** What a worker needs: it opens tokens and seals them. */
export type WorkerKeys = {
  tokenPublicKeys: string
  /** JWK set in JSON that opens tokens; for workers alone. */
  tokenPrivateKeys: string
}

/**
 * The keys of both processes, for a command that starts them on one machine. Keys not configured
 * are made once and kept under `DATA_DIR/keys`, readable by this user only.
 * @throws SettingsError like `provideWorkerKeys`.
 */
export function provideKeys(settings: Settings): WebKeys & WorkerKeys {
  return { sessionSecret: provideSessionSecret(settings), ...provideWorkerKeys(settings) }
}

/**
 * The web server's keys. Makes public keys only beside the embedded database, where the worker
 * shares `DATA_DIR`; no worker could open those made elsewhere.
 * @throws SettingsError when the environment holds private keys, which belong to workers alone, or
 * when there is no public set.
 */
export function provideWebKeys(settings: Settings): WebKeys {
  // first what may be refused: nothing is made then
  const publicKeys = readPublicKeys(settings)
  requireSharedSecret(settings)
  const sessionSecret = provideSessionSecret(settings)
  return { sessionSecret, tokenPublicKeys: publicKeys ?? provideWorkerKeys(settings).tokenPublicKeys }
}

/**
 * Web servers of one database open each other's sessions and what they sealed: beside a database
 * elsewhere no secret is made, since each of them would make its own. @throws SettingsError
 */
function requireSharedSecret({ sessionSecret, databaseUrl, dataDir }: Settings): void {
  const file = join(dataDir, 'keys', SESSION_SECRET_FILE)
  if (sessionSecret !== null || databaseUrl === null || existsSync(file)) return
  throw new SettingsError([
    `SESSION_SECRET: is missing, and ${file} is not there; all web servers of a database need the same one, such as \`openssl rand -base64 48\` prints.`,
  ])
}

const SESSION_SECRET_FILE = 'session-secret'

/** The web server's public keys; null where it may make them. @throws SettingsError */
function readPublicKeys(settings: Settings): string | null {
  if (settings.tokenPrivateKeys)
    throw new SettingsError([
      'TOKEN_PRIVATE_KEYS: is for workers alone; take it out of the environment of the web server, which needs TOKEN_PUBLIC_KEYS.',
    ])
  if (settings.tokenPublicKeys) return JSON.stringify(settings.tokenPublicKeys)
  const file = join(settings.dataDir, 'keys', KEY_FILES.publicKeys)
  if (existsSync(file)) return JSON.stringify(parsePublicKeys(file, readFileSync(file, 'utf8')))
  if (settings.databaseUrl === null) return null
  throw new SettingsError([
    `TOKEN_PUBLIC_KEYS: is missing, and ${file} is not there; where the worker runs, \`npm run keys -- public\` prints the set.`,
  ])
}

/**
 * Refuses keys with which one of the processes would not start, and makes none. @throws
 * SettingsError
 */
export function judgeKeys(settings: Settings, processes: readonly Process[]): void {
  if (!processes.includes('worker')) {
    const publicKeys = readPublicKeys(settings)
    if (publicKeys !== null) requireUsable('TOKEN_PUBLIC_KEYS', (JSON.parse(publicKeys) as JwkSet).keys)
    requireSharedSecret(settings)
    return
  }
  const isAtHand = existsSync(join(settings.dataDir, 'keys', KEY_FILES.privateKeys))
  if (settings.tokenPrivateKeys === null && settings.tokenPublicKeys === null && !isAtHand) return
  const ring = provideWorkerKeys(settings)
  const [sealing, opening] = [ring.tokenPublicKeys, ring.tokenPrivateKeys].map(
    (text) => (JSON.parse(text) as JwkSet).keys,
  )
  requireUsable('TOKEN_PUBLIC_KEYS', sealing ?? [])
  requireUsable('TOKEN_PRIVATE_KEYS', opening ?? [])
  const stranger = sealing?.find(
    ({ kid, x }) => !opening?.some((other) => other.kid === kid && other.x === x && 'd' in other),
  )
  if (stranger !== undefined)
    throw new SettingsError([
      `TOKEN_PRIVATE_KEYS: the private part of ${stranger.kid} is missing, while TOKEN_PUBLIC_KEYS has it.`,
    ])
}

/** Keys that Node cannot read would seal and open nothing. */
function requireUsable(name: string, keys: JwkSet['keys']): void {
  const broken = keys.find((key) => {
    try {
      const make = 'd' in key ? createPrivateKey : createPublicKey
      return !/^(ec|x25519)$/.test(make({ format: 'jwk', key }).asymmetricKeyType ?? '')
    } catch {
      return true
    }
  })
  if (broken !== undefined) throw new SettingsError([`${name}: the key ${broken.kid} is none for ECDH-ES (RFC 7518).`])
}

/**
 * A worker's keys: the private set, and the public one derived from it unless configured. Without
 * any, makes a new pair under `DATA_DIR/keys`; a worker does not start with it on a database whose
 * tokens need another.
 * @throws SettingsError when only the public set is configured.
 */
export function provideWorkerKeys(settings: Settings): WorkerKeys {
  const { tokenPublicKeys, tokenPrivateKeys } = settings
  if (tokenPrivateKeys) {
    const privateText = JSON.stringify(tokenPrivateKeys.reveal())
    const publicText = tokenPublicKeys ? JSON.stringify(tokenPublicKeys) : toPublicKeySet(privateText)
    return { tokenPublicKeys: publicText, tokenPrivateKeys: privateText }
  }
  if (tokenPublicKeys) throw new SettingsError(['TOKEN_PRIVATE_KEYS: is missing, while TOKEN_PUBLIC_KEYS is set.'])
  const privateFile = join(provideFolder(settings), KEY_FILES.privateKeys)
  const privateText = readOrMake(privateFile, makePrivateKeySet)
  parsePrivateKeys(privateFile, privateText)
  const publicFile = join(provideFolder(settings), KEY_FILES.publicKeys)
  const publicText = readOrMake(publicFile, () => toPublicKeySet(privateText))
  parsePublicKeys(publicFile, publicText)
  return { tokenPublicKeys: publicText, tokenPrivateKeys: privateText }
}

function provideSessionSecret(settings: Settings): string {
  const make = () => randomBytes(48).toString('base64url')
  return settings.sessionSecret?.reveal() ?? readOrMake(join(provideFolder(settings), SESSION_SECRET_FILE), make)
}

function provideFolder(settings: Settings): string {
  const folder = join(settings.dataDir, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function readOrMake(file: string, make: () => string): string {
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8')
}

/** A set with one new P-256 key for ECDH-ES; its id is the RFC 7638 thumbprint. */
export function makePrivateKeySet(): string {
  const { privateKey } = generateKeyPair()
  const { crv, d, kty, x, y } = privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return JSON.stringify({ keys: [{ kty, crv, x, y, d, kid, use: 'enc', alg: 'ECDH-ES' }] })
}

/** The set without its private parts. */
export function toPublicKeySet(privateKeySet: string): string {
  const { keys } = JSON.parse(privateKeySet) as { keys: Record<string, string>[] }
  return JSON.stringify({ keys: keys.map(({ d: _private, ...publicPart }) => publicPart) })
}
