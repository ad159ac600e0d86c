/** The longest wait that is believed: a day. A partner that asks for more is asked again then. */
const MAX_WAIT_MS = 86_400_000

/**
 * The wait that a `Retry-After` header asks for, in milliseconds from `now`: whole seconds or an
 * HTTP date (RFC 9110, 10.2.3; assumption 24). A date in the past is no wait. Null when the header
 * is absent or unreadable; never more than a day.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, MAX_WAIT_MS)
  // HTTP dates start with the name of a day; Date.parse alone would take "-5" or "1.5" for years.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now.getTime(), 0), MAX_WAIT_MS)
}
