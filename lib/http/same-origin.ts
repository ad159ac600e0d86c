import { settings } from '#lib/env.ts'

/**
 * True when a request that changes something was made by one of our own pages (reliability A11).
 * Browsers state where a request comes from, in Sec-Fetch-Site, Origin or both: each that is there
 * must name us, and one must be there.
 */
export function isSameOrigin(headers: Headers): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === null && site === null) return false
  return (origin === null || origin === new URL(settings().appUrl).origin) && (site === null || site === 'same-origin')
}
