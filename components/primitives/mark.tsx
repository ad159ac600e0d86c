import { classNames } from '#components/class-names.ts'

export type MarkKind = 'failed' | 'partial' | 'good' | 'held' | 'open' | 'flag' | 'not-imported' | 'removed'

type MarkProps = { kind: MarkKind; label?: string; isSmall?: boolean; className?: string }

/**
 * A small shape beside a text that says the same: color alone never carries meaning. Its looks are
 * in app/frame.css.
 */
export function Mark({ kind, label, isSmall = false, className }: MarkProps) {
  return (
    <span
      {...(label ? { role: 'img', 'aria-label': label, title: label } : { 'aria-hidden': true })}
      className={classNames('mark', isSmall && 'mark-small', `mark-${kind}`, className)}
    />
  )
}
