/**
 * Time-based one-time passwords (RFC 6238 over RFC 4226) as every authenticator app makes them:
 * SHA-1, 30 seconds, six digits. Pure.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const DIGITS = 6
/** Codes of the step before and after are taken too: clocks differ (RFC 6238, 5.2). */
const SKEW_STEPS = 1
/** 160 bits, as long as the hash (RFC 4226, 4). */
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function makeTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The code of a step: the number of whole 30 seconds since 1970. */
export function toTotpCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return `${(mac.readUInt32BE(at) & 0x7fffffff) % 10 ** digits}`.padStart(digits, '0')
}

/** The step whose code this is, within one step of now; null when it is none of them. */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | null {
  const current = Math.floor(now.getTime() / STEP_MS)
  const given = Buffer.from(code)
  let found: number | null = null
  // all are compared, in constant time each: how long it takes tells nothing
  for (let step = current - SKEW_STEPS; step <= current + SKEW_STEPS; step++) {
    const expected = Buffer.from(toTotpCode(secret, step))
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step
  }
  return found
}

/** Base32 without padding (RFC 4648, 6), as people type a secret and apps read it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** What the QR code says: the format that authenticator apps share. */
export function toTotpAddress(secret: Buffer, email: string): string {
  const issuer = 'Tieout'
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${email}`)}?${new URLSearchParams({ secret: toBase32(secret), issuer })}`
}
