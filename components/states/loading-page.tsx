import type { ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { Skeleton } from '#components/primitives/skeleton.tsx'

type LoadingPageProps = {
  title: ReactNode
  /** The name of the list that the page belongs to, if its header names one. */
  parent?: ReactNode
  /** Whether the page has filters and a strip of totals, as the real one will. */
  hasFilters?: boolean
  hasTotals?: boolean
  rowHeight?: 'normal' | 'tall'
  /** Whether there is more beside the rows. */
  hasSide?: boolean
}

const WIDTHS = ['w-40', 'w-52', 'w-36', 'w-44', 'w-48', 'w-32', 'w-56', 'w-60', 'w-28', 'w-64', 'w-24', 'w-72']

/** A page's layout while it loads. Nothing moves when the figures arrive. */
export function LoadingPage({ title, parent, hasFilters, hasTotals, rowHeight = 'normal', hasSide }: LoadingPageProps) {
  const row = rowHeight === 'tall' ? 'h-11' : 'h-8'
  return (
    <div aria-busy className="flex min-h-0 flex-1 flex-col overflow-hidden">
      <header className="px-5 pt-4 pb-2.5 max-md:px-4">
        {parent && <span className="text-[13px] text-ink2">{parent} ›</span>}
        <h1 className="truncate font-semibold text-[20px] leading-[26px] tracking-[-0.015em]">{title}</h1>
        <p className="skeleton-page flex h-5 items-center">
          <span className="sr-only">Loading</span>
          <Skeleton className="w-56" />
        </p>
        <noscript>
          <p className="text-[13px] text-ink2">
            This takes longer than usual. The page appears when it is ready; if it does not, load it again.
          </p>
        </noscript>
      </header>
      <div className="skeleton-page flex min-h-0 flex-1 flex-col">
        {hasFilters && (
          <div className="flex items-center gap-1.5 px-5 pb-2.5 max-md:px-4">
            <span className="h-6 w-24 rounded-full border border-line2 border-dashed" />
            <span className="ml-auto h-[26px] w-[232px] rounded-md border border-line2 max-md:hidden" />
          </div>
        )}
        {hasTotals ? (
          <div className="flex h-[54px] shrink-0 border-y bg-panel">
            {['first', 'second'].map((place) => (
              <div key={place} className="flex w-[196px] flex-col gap-2.5 border-r px-5 pt-3">
                <Skeleton className="h-2.5 w-28" />
                <Skeleton className="h-3 w-24" />
              </div>
            ))}
          </div>
        ) : (
          <div className="border-t" />
        )}
        {/* room at the side: an element there would move the rows when it is parsed after them */}
        <div className={classNames('min-h-0 flex-1', hasSide && 'lg:mr-[359px] lg:border-r')}>
          {WIDTHS.map((width) => (
            <div key={width} className={`${row} flex items-center gap-6 border-b px-5 max-md:px-4`}>
              <Skeleton className="w-20 shrink-0" />
              <Skeleton className={`${width} min-w-0 shrink`} />
              <Skeleton className="ml-auto w-16 shrink-0" />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
