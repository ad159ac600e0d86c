/** The longest wait we believe: a day. A partner that asks for more is asked again after that. */
const MAX_WAIT_MS = 86_400_000

/**
 * The wait a `Retry-After` header asks for, in milliseconds from `now`: seconds or an HTTP date
 * (RFC 9110, 10.2.3; assumption 24). Seconds should be whole; a part of one counts as one. Zero for
 * a past date, at most a day, null if absent or unreadable.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Math.min(Math.ceil(Number(text)) * 1000, MAX_WAIT_MS)
  // HTTP dates start with the name of a day; Date.parse alone would take "-5" or "1,5" for years.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now.getTime(), 0), MAX_WAIT_MS)
}
