import { classNames } from '#components/class-names.ts'

/** A gray bar in place of text that loads. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('skeleton', className)} />
}
