import { formatMoment } from '#lib/reconcile/moment.ts'

/** A day and a time in the reader's zone, which is named. `at` is ISO 8601; hovering shows it. */
export function LocalMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatMoment(at, { withZone: true })}
    </time>
  )
}
