import { classNames } from '#components/class-names.ts'

type UpstreamTextProps = {
  /** Null and '' mean that the platform does not say. */
  text: string | null
  className?: string
  /** What screen readers say for missing text. */
  unknownLabel?: string
}

/**
 * Text from the platform on one line, whole on hover. Isolated: its direction cannot reach its
 * neighbors.
 */
export function UpstreamText({ text, className, unknownLabel = 'unknown' }: UpstreamTextProps) {
  if (text === null || text === '') return <Unknown label={unknownLabel} />
  return (
    <bdi className={classNames('block truncate', className)} dir="auto" title={text}>
      {text}
    </bdi>
  )
}

/**
 * As UpstreamText, in a cell of a list, which shows what its column cuts (ListFrame). A `bdi` finds
 * its direction itself.
 */
export function CellText({ text, unknownLabel }: Pick<UpstreamTextProps, 'text' | 'unknownLabel'>) {
  if (text === null || text === '') return <Unknown label={unknownLabel} />
  return <bdi>{text}</bdi>
}

/** A dash means unknown; a zero would be written out. */
export function Unknown({ label = 'unknown' }: { label?: string }) {
  return (
    <span className="text-ink3">
      <span aria-hidden>—</span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
