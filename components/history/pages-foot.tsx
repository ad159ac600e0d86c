import type { ComponentProps } from 'react'
import { NumberedPager } from '#components/table/numbered-pager.tsx'

/** The foot of a list of changes: where in it the page is. */
export function PagesFoot(pages: ComponentProps<typeof NumberedPager>) {
  return (
    <footer className="flex min-h-9 shrink-0 items-center justify-end border-t bg-panel px-5 py-1 max-md:px-4 print:hidden">
      <NumberedPager {...pages} />
    </footer>
  )
}
