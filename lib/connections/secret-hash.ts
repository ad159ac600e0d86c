import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits that fits in a cookie or a URL. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 in hex, for secrets that are compared and never read: sessions, intents, OAuth state. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
