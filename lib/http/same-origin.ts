import { settings } from '#lib/env.ts'

/**
 * True when one of our own pages made a request that changes something (reliability A11). Browsers
 * state the origin in Sec-Fetch-Site, Origin or both: at least one must be there, and each must
 * name us.
 */
export function isSameOrigin(headers: Headers): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === null && site === null) return false
  return (origin === null || origin === new URL(settings().appUrl).origin) && (site === null || site === 'same-origin')
}
