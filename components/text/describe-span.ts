const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A span of time from now: `just now`, `3 minutes ago`, `in 6 days`. Whole units, rounded down. */
export function describeSpan(spanMs: number): string {
  const size = Math.abs(spanMs)
  if (size < MINUTE) return spanMs <= 0 ? 'just now' : 'in under a minute'
  const text =
    size < HOUR
      ? count(size / MINUTE, 'minute')
      : size < DAY
        ? count(size / HOUR, 'hour')
        : size < 60 * DAY
          ? count(size / DAY, 'day')
          : count(size / (30 * DAY), 'month')
  return spanMs <= 0 ? `${text} ago` : `in ${text}`
}

function count(value: number, unit: string): string {
  const whole = Math.floor(value)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
