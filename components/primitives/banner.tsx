import type { ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { Mark, type MarkKind } from './mark.tsx'

const TONES = {
  good: { kind: 'good', box: 'border-l-good bg-goodbg' },
  warn: { kind: 'partial', box: 'border-l-warn bg-warnbg' },
  bad: { kind: 'failed', box: 'border-l-bad bg-badbg' },
  plain: { kind: 'open', box: 'border-l-line2 bg-panel' },
} satisfies Record<string, { kind: MarkKind; box: string }>

export type BannerTone = keyof typeof TONES

/** A message about the whole page. Bad news interrupts a screen reader, the rest waits. */
export function Banner({ tone, children, className }: { tone: BannerTone; children: ReactNode; className?: string }) {
  const { kind, box } = TONES[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames('flex items-baseline gap-2.5 border-l-[3px] px-3 py-2 text-[13px]', box, className)}
    >
      <Mark kind={kind} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
