'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'

/**
 * Says of a page that the person's role may not see that this is why. `refused` are the addresses
 * of such pages; any other address is not there, as `children` say.
 */
export function RefusedPage({ refused, children }: { refused: string[]; children: ReactNode }) {
  if (!refused.includes(usePathname())) return children
  return (
    <div className="flex flex-1 flex-col items-start px-5 py-10 max-md:px-4">
      <h1 className="font-semibold text-[16px]">Your role cannot see this</h1>
      <p className="mt-1 max-w-[60ch] text-[13px] text-ink2">
        This page is for admins. Who they are is on{' '}
        <a href="/people" className="underline underline-offset-2">
          People
        </a>
        .
      </p>
    </div>
  )
}
