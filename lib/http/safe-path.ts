/**
 * Control characters, spaces and backslashes, which browsers drop or turn into slashes before they
 * resolve an address.
 */
const UNSAFE = /[^\x21-\x7e]|\\/

/**
 * A path on our own origin to go to after signing in, or the overview: whatever `next` is, the
 * browser stays here (reliability A5). Routes and the sign-in page itself are no destinations.
 */
export function toSafePath(next: unknown, appUrl: string): string {
  if (typeof next !== 'string' || next.length > 2000 || !/^\/(?!\/)/.test(next) || UNSAFE.test(next)) return '/'
  if (!URL.canParse(next, appUrl)) return '/'
  const url = new URL(next, appUrl)
  // resolving may have produced another path than the one that was looked at, as in
  // /..//evil.example
  const path = url.pathname + url.search + url.hash
  const isOurs = url.origin === new URL(appUrl).origin && !path.startsWith('//')
  return isOurs && !/^\/(api|sign-in)(\/|$)/.test(url.pathname) ? path : '/'
}
