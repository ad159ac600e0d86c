/**
 * Seals what the web server itself has to open again: AES-256-GCM under keys that come from
 * SESSION_SECRET, so that a dump of the database, or a cookie, tells nothing. Another secret makes
 * what was sealed worthless (docs/decisions/032-second-step.md, 033-single-sign-on.md).
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { requireSetting } from '#lib/env.ts'

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** What is sealed or hashed; each purpose has a key of its own. */
type Purpose = 'authenticator' | 'recovery codes' | 'shown codes' | 'client secret' | 'sign-on attempt'

/** `of`: whose it is, such as an id; it opens for nobody else. */
export type Seal = { purpose: Purpose; of: string }

/** With a fresh IV each time: the same content is never sealed to the same text. */
export function sealBytes(plain: Uint8Array, { purpose, of }: Seal): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', toKey(purpose), iv).setAAD(Buffer.from(of))
  const sealed = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return `${VERSION}.${sealed.toString('base64url')}`
}

/** What was sealed; null when it was under another secret, for another use or owner, or changed. */
export function openBytes(sealed: string, { purpose, of }: Seal): Buffer | null {
  const [version, content = ''] = sealed.split('.')
  const bytes = Buffer.from(content, 'base64url')
  if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', toKey(purpose), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    // GCM says no more than that it does not fit
    return null
  }
}

/** HMAC-SHA-256 in hex: what has too few bits for a plain hash cannot be guessed from a dump. */
export function toKeyedHash(text: string, { purpose, of }: Seal): string {
  return createHmac('sha256', toKey(purpose)).update(of).update('\0').update(text).digest('hex')
}

function toKey(purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', requireSetting('sessionSecret').reveal(), '', `tieout ${purpose}`, 32))
}
