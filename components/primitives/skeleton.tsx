import { classNames } from '../class-names.ts'

/** A gray bar where a text will be. Appears after 300 ms only, so that a quick answer shows no flicker. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('skeleton block h-3', className)} />
}
