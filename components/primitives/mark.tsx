import { classNames } from '#components/class-names.ts'

export type MarkKind = 'failed' | 'partial' | 'good' | 'held' | 'open'

const LOOKS: Record<MarkKind, string> = {
  failed: 'rounded-[2px] bg-bad',
  partial:
    'rounded-[2px] border-[1.5px] border-warn [background:linear-gradient(135deg,var(--warn)_50%,transparent_50%)]',
  good: 'rounded-full bg-good',
  held: 'rounded-[2px] border border-ink3 [background:repeating-linear-gradient(135deg,var(--ink3)_0_1px,transparent_1px_3px)]',
  open: 'rounded-full border-[1.5px] border-ink3',
}

type MarkProps = { kind: MarkKind; label?: string; isSmall?: boolean; className?: string }

/** A small shape beside a text that says the same: color alone never carries meaning. */
export function Mark({ kind, label, isSmall = false, className }: MarkProps) {
  return (
    <span
      {...(label ? { role: 'img', 'aria-label': label, title: label } : { 'aria-hidden': true })}
      className={classNames('inline-block shrink-0', isSmall ? 'size-[7px]' : 'size-[9px]', LOOKS[kind], className)}
    />
  )
}
