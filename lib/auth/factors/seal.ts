/**
 * Keeps secrets of the second step out of a copy of the database: they are sealed, or hashed, with
 * keys that come from `SESSION_SECRET`. Another one makes them worthless
 * (docs/decisions/032-second-step.md).
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { requireSetting } from '#lib/env.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'

/** Whose factor it is. */
export type Person = { organizationId: OrganizationId; userId: UserId }

const IV_BYTES = 12
const TAG_BYTES = 16

/** What is sealed or hashed; each purpose has a key of its own. */
type Purpose = 'authenticator' | 'recovery codes' | 'shown codes'

/** AES-256-GCM with a fresh IV; only the same purpose and person open it again. */
export function seal(purpose: Purpose, person: Person, plain: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', toKey(purpose), iv).setAAD(toContext(person))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** What was sealed; null when it was sealed with another key or for somebody else. */
export function open(purpose: Purpose, person: Person, sealed: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', toKey(purpose), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(toContext(person)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** HMAC-SHA-256 in hex: what has too few bits for a plain hash cannot be guessed from a dump. */
export function toKeyedHash(purpose: Purpose, person: Person, text: string): string {
  return createHmac('sha256', toKey(purpose)).update(toContext(person)).update(text).digest('hex')
}

function toKey(purpose: Purpose): Buffer {
  return Buffer.from(
    hkdfSync('sha256', requireSetting('sessionSecret').reveal(), '', `tieout second step: ${purpose}`, 32),
  )
}

/** Ids have one length each: no two people have the same context. */
function toContext({ organizationId, userId }: Person): Buffer {
  return Buffer.from(`${organizationId} ${userId} `)
}
