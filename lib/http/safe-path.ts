/** Characters that browsers drop or turn into slashes: control characters, spaces, backslashes. */
const UNSAFE = /[^\x21-\x7e]|\\/

/**
 * A path on our own origin to go to after signing in, or the overview. Whatever `next` is, the
 * browser stays here (reliability A5). Routes and the sign-in page are never the destination.
 */
export function toSafePath(next: unknown, appUrl: string): string {
  if (typeof next !== 'string' || next.length > 2000 || !/^\/(?!\/)/.test(next) || UNSAFE.test(next)) return '/'
  if (!URL.canParse(next, appUrl)) return '/'
  const url = new URL(next, appUrl)
  // resolving may produce another path than the one checked above, as in /..//evil.example
  const path = url.pathname + url.search + url.hash
  const isOurs = url.origin === new URL(appUrl).origin && !path.startsWith('//')
  return isOurs && !/^\/(api|sign-in)(\/|$)/.test(url.pathname) ? path : '/'
}
