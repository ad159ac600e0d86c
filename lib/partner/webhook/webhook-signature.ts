import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether `signature` is the HMAC-SHA256 (hex) of exactly these bytes under the secret. Takes the
 * same time for any wrong one.
 */
export function isSignedBy(secret: string, body: Uint8Array, signature: string | null): boolean {
  const expected = createHmac('sha256', secret).update(body).digest()
  const isHex = /^[0-9a-f]{64}$/i.test(signature ?? '')
  const given = isHex ? Buffer.from(signature as string, 'hex') : Buffer.alloc(expected.length)
  return timingSafeEqual(expected, given) && isHex
}
