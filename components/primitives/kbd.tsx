import type { ReactNode } from 'react'

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded border border-line2 px-1 font-medium font-mono text-[11px] text-ink3 leading-4">
      {children}
    </kbd>
  )
}
