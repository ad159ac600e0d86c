import { Skeleton } from '../primitives/skeleton.tsx'

type LoadingPageProps = {
  title: string
  /** Whether the page has filters and a strip of totals, as the real one will. */
  hasFilters?: boolean
  hasTotals?: boolean
  rowHeight?: 'normal' | 'tall'
}

const WIDTHS = ['w-40', 'w-52', 'w-36', 'w-44', 'w-48', 'w-32', 'w-56', 'w-40', 'w-44', 'w-36', 'w-52', 'w-48']

/** A list page's layout before its figures are there: what will be where, and nothing that moves afterwards. */
export function LoadingPage({ title, hasFilters = false, hasTotals = false, rowHeight = 'normal' }: LoadingPageProps) {
  const row = rowHeight === 'tall' ? 'h-11' : 'h-8'
  return (
    <div aria-busy className="flex min-h-0 flex-1 flex-col">
      <header className="px-5 pt-4 pb-2.5 max-md:px-4">
        <h1 className="font-semibold text-[20px] leading-[26px] tracking-[-0.015em]">{title}</h1>
        <p className="flex h-5 items-center">
          <span className="sr-only">Loading</span>
          <Skeleton className="w-56" />
        </p>
      </header>
      {hasFilters && (
        <div className="flex items-center gap-1.5 px-5 pb-2.5 max-md:px-4">
          <span className="h-6 w-24 rounded-full border border-line2 border-dashed" />
          <span className="ml-auto h-[26px] w-[232px] rounded-md border border-line2 max-md:hidden" />
        </div>
      )}
      {hasTotals && (
        <div className="flex h-[54px] border-y bg-panel">
          {[0, 1].map((index) => (
            <div key={index} className="flex w-[196px] flex-col gap-2.5 border-r px-5 pt-3">
              <Skeleton className="h-2.5 w-28" />
              <Skeleton className="h-3 w-24" />
            </div>
          ))}
        </div>
      )}
      <div className={`${row} border-line2 border-b ${hasTotals ? '' : 'border-t border-t-line'}`} />
      {WIDTHS.map((width, index) => (
        <div
          key={`${width} ${WIDTHS.indexOf(width, index)}`}
          className={`${row} flex items-center gap-6 border-b px-5 max-md:px-4`}
        >
          <Skeleton className="w-20" />
          <Skeleton className={width} />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  )
}
