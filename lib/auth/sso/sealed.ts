/**
 * Seals what the web server itself has to open again: AES-256-GCM under a key of SESSION_SECRET, so
 * that a dump of the database, or a cookie, tells nothing.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { requireSetting } from '#lib/env.ts'

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** What a sealed text is for, each with a key of its own; `of` is what it belongs to. */
type Seal = { purpose: 'client-secret' | 'attempt'; of: string }

export function sealText(text: string, { purpose, of }: Seal): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', toKey(purpose), iv).setAAD(Buffer.from(of))
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${VERSION}.${sealed.toString('base64url')}`
}

/** The text, or null when it was sealed under another secret, for another use, or was changed. */
export function openText(sealed: string, { purpose, of }: Seal): string | null {
  const [version, content = ''] = sealed.split('.')
  const bytes = Buffer.from(content, 'base64url')
  if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', toKey(purpose), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(of))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)).toString('utf8') + decipher.final('utf8')
  } catch {
    // GCM says no more than that it does not fit
    return null
  }
}

function toKey(purpose: Seal['purpose']): Buffer {
  return Buffer.from(
    hkdfSync('sha256', requireSetting('sessionSecret').reveal(), '', `tieout single sign-on ${purpose}`, 32),
  )
}
