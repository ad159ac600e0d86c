import type { ReactNode } from 'react'
import { Wordmark } from './wordmark.tsx'

/** A page outside the desk: the product's name, a title and a few lines, centered. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-side px-4 py-10">
      <div className="w-full max-w-[440px]">
        <p className="mb-6 text-[16px]">
          <Wordmark />
        </p>
        <h1 className="mb-3 font-semibold text-[20px] leading-[26px] tracking-[-0.015em]">{title}</h1>
        <div className="flex flex-col gap-4 text-[13px]">{children}</div>
      </div>
    </main>
  )
}
