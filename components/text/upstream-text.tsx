import { classNames } from '#components/class-names.ts'

type UpstreamTextProps = {
  /** Null, and an empty text, mean that the platform does not say. */
  text: string | null
  className?: string
  /** What screen readers hear for a text that is not there. */
  unknownLabel?: string
}

/**
 * Text that came from the platform: isolated (its direction cannot reach its neighbors), on one
 * line, whole on hover.
 */
export function UpstreamText({ text, className, unknownLabel = 'unknown' }: UpstreamTextProps) {
  if (text === null || text === '') return <Unknown label={unknownLabel} />
  return (
    <bdi className={classNames('block truncate', className)} dir="auto" title={text}>
      {text}
    </bdi>
  )
}

/** Blank means unknown; a zero would be written out. */
export function Unknown({ label = 'unknown' }: { label?: string }) {
  return (
    <span className="text-ink3">
      <span aria-hidden>—</span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
