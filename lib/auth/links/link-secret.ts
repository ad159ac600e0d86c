import * as z from 'zod'

/**
 * The secret of a link, which stands behind the `#` of its address. The link as a whole, as people
 * paste it, is as good.
 */
export const linkSecret = z
  .string()
  .max(1000)
  .transform((text) => text.trim().replace(/^.*#/s, ''))

/** What leads back to the link's page, with the secret behind the `#` again. */
export function toLinkHash(secret: string): string {
  return /^[\w.-]+$/.test(secret) ? `#${secret}` : ''
}
