/**
 * Tokens at rest: JWE (RFC 7516), ECDH-ES with A256GCM, sealed to the worker's public key. The web
 * process seals and cannot open. Opening checks connection, generation and purpose in the protected
 * header, so a ciphertext is worthless in another row. Everything fails closed with
 * OperationalError `token-unreadable`.
 */

import {
  CompactEncrypt,
  type CompactJWEHeaderParameters,
  calculateJwkThumbprint,
  compactDecrypt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
} from 'jose'
import type { JwkSet } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { generateKeyPair } from '#lib/key-pair.ts'

/** The two tokens of a connection; in the clear only between opening and use. */
export type StoredTokens = { accessToken: string; refreshToken: string }

/** Where a ciphertext belongs. */
export type SealContext = { connectionId: string; generation: number }

type Purpose = 'tokens' | 'bytes' | 'canary'

const ALGORITHM = 'ECDH-ES'
const ENCRYPTION = 'A256GCM'

/** Seals a connection's tokens to the first public key, which `keyId` names. */
export async function sealTokens(
  tokens: StoredTokens,
  context: SealContext,
  publicKeys: JwkSet,
): Promise<{ sealed: string; keyId: string }> {
  const text = JSON.stringify({ access_token: tokens.accessToken, refresh_token: tokens.refreshToken })
  return seal('tokens', Buffer.from(text), context, publicKeys)
}

/** Opens what `sealTokens` sealed for this place. @throws OperationalError token-unreadable */
export async function openTokens(sealed: string, expected: SealContext, privateKeys: JwkSet): Promise<StoredTokens> {
  const bytes = await open('tokens', sealed, expected, privateKeys)
  const value = JSON.parse(bytes.toString('utf8')) as { access_token: string; refresh_token: string }
  return { accessToken: value.access_token, refreshToken: value.refresh_token }
}

/** Seals bytes, such as a raw answer of the token endpoint. They never open as tokens. */
export function sealBytes(
  bytes: Uint8Array,
  context: SealContext,
  publicKeys: JwkSet,
): Promise<{ sealed: string; keyId: string }> {
  return seal('bytes', bytes, context, publicKeys)
}

/** Opens what `sealBytes` sealed for this place. @throws OperationalError token-unreadable */
export function openBytes(sealed: string, expected: SealContext, privateKeys: JwkSet): Promise<Buffer> {
  return open('bytes', sealed, expected, privateKeys)
}

/**
 * Seals and opens a canary with each public key: a process that cannot read what others seal must
 * not start. @throws OperationalError token-unreadable
 */
export async function assertVaultOpens(publicKeys: JwkSet, privateKeys: JwkSet): Promise<void> {
  for (const key of publicKeys.keys) await openCanary((await sealCanary({ keys: [key] })).sealed, privateKeys)
}

const CANARY: SealContext = { connectionId: 'canary', generation: 0 }

/** A meaningless word sealed to the first public key. Stored, it reveals the key's loss. */
export function sealCanary(publicKeys: JwkSet): Promise<{ sealed: string; keyId: string }> {
  return seal('canary', Buffer.from('canary'), CANARY, publicKeys)
}

/** Resolves when the canary can be opened. @throws OperationalError token-unreadable */
export async function openCanary(sealed: string, privateKeys: JwkSet): Promise<void> {
  await open('canary', sealed, CANARY, privateKeys)
}

/**
 * Opens a ciphertext of any kind and seals it to the first public key, its kind and place
 * unchanged.
 * @throws OperationalError token-unreadable when it cannot be opened or belongs elsewhere.
 */
export async function reseal(
  sealed: string,
  expected: SealContext,
  keys: { publicKeys: JwkSet; privateKeys: JwkSet },
): Promise<{ sealed: string; keyId: string }> {
  const purpose = /^tieout-(tokens|bytes)$/.exec(String(readHeader(sealed).typ))?.[1] as Purpose | undefined
  if (purpose === undefined) throw new OperationalError('token-unreadable', 'sealed text of an unknown kind')
  return seal(purpose, await open(purpose, sealed, expected, keys.privateKeys), expected, keys.publicKeys)
}

/** The id of the key that a text is sealed to. @throws OperationalError token-unreadable */
export function readKeyId(sealed: string): string {
  return String(readHeader(sealed).kid)
}

function readHeader(sealed: string): CompactJWEHeaderParameters {
  try {
    return decodeProtectedHeader(sealed) as CompactJWEHeaderParameters
  } catch (error) {
    throw new OperationalError('token-unreadable', 'sealed text without a header', { cause: error })
  }
}

/** A new pair of key sets with one P-256 key; the key id is its thumbprint (RFC 7638). */
export async function generateTokenKeys(): Promise<{ publicKeys: JwkSet; privateKeys: JwkSet }> {
  const pair = generateKeyPair()
  const publicJwk = pair.publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(publicJwk)
  const common = { kid, alg: ALGORITHM, use: 'enc' }
  const privateJwk = pair.privateKey.export({ format: 'jwk' })
  return {
    publicKeys: { keys: [{ ...publicJwk, kty: publicJwk.kty as string, ...common }] },
    privateKeys: { keys: [{ ...privateJwk, kty: privateJwk.kty as string, ...common }] },
  }
}

async function seal(purpose: Purpose, bytes: Uint8Array, context: SealContext, publicKeys: JwkSet) {
  const jwk = publicKeys.keys[0]
  if (jwk === undefined) throw new OperationalError('token-unreadable', 'there is no public key to seal tokens to')
  // a private key configured as a public one must not do a public key's work
  const { d: _private, ...publicJwk } = jwk as JWK
  const sealed = await new CompactEncrypt(bytes)
    .setProtectedHeader({
      alg: ALGORITHM,
      enc: ENCRYPTION,
      kid: jwk.kid,
      typ: `tieout-${purpose}`,
      cid: context.connectionId,
      gen: context.generation,
    })
    .encrypt(await importJWK(publicJwk, ALGORITHM))
  return { sealed, keyId: jwk.kid }
}

async function open(purpose: Purpose, sealed: string, expected: SealContext, privateKeys: JwkSet): Promise<Buffer> {
  const { plaintext, protectedHeader } = await decrypt(sealed, privateKeys)
  const isHere =
    protectedHeader.typ === `tieout-${purpose}` &&
    protectedHeader.cid === expected.connectionId &&
    protectedHeader.gen === expected.generation
  if (!isHere) throw new OperationalError('token-unreadable', 'sealed tokens do not belong to the row they are in')
  return Buffer.from(plaintext)
}

async function decrypt(sealed: string, privateKeys: JwkSet) {
  try {
    return await compactDecrypt(sealed, (header) => findKey(header, privateKeys), {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    })
  } catch (error) {
    if (error instanceof OperationalError) throw error
    throw new OperationalError('token-unreadable', 'sealed tokens cannot be opened', { cause: error })
  }
}

function findKey(header: CompactJWEHeaderParameters, privateKeys: JwkSet) {
  const jwk = privateKeys.keys.find(({ kid }) => kid === header.kid)
  if (jwk === undefined)
    throw new OperationalError('token-unreadable', 'no private key has the id of the sealed tokens')
  return importJWK(jwk as JWK, ALGORITHM)
}
