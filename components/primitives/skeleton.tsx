import { classNames } from '#components/class-names.ts'

/** A gray bar where a text will be. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('skeleton', className)} />
}
