import { formatMoment, formatTime } from '#lib/reconcile/moment.ts'

/** A moment on the reader's clock, `2:32:05 PM`; day and zone on hover. `at` is ISO 8601. */
export function LocalTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at, { withZone: true })}>
      {formatTime(at)}
    </time>
  )
}
