import type { ReactNode } from 'react'

/** A part of a connection's page, with a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-1 font-semibold text-[14px]">
        {title}
      </h2>
      {children}
    </section>
  )
}
