'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '#components/query/link.client.tsx'
import { useKeptScope } from '#components/scope/kept-scope.client.tsx'
import { carryScope } from '#components/scope/scope.ts'

type NavLinkProps = {
  href: string
  /** Where it leads instead of there. */
  start?: string | undefined
  /** The scope that the person kept, as the server knew it. */
  kept: string
  className: string
  title?: string
  /** The key after `g` that leads there. */
  go?: string | undefined
  children: ReactNode
}

/**
 * A link of the frame. Its page, and pages under it, mark it with `aria-current`. It keeps the
 * scope of the page that one is on; a view that a list opens with has its own.
 */
export function NavLink({ href, start, kept, className, title, go, children }: NavLinkProps) {
  const path = usePathname()
  const search = useSearchParams()
  const own = useKeptScope(kept)
  const isHere = href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
  return (
    <Link
      href={start ?? carryScope(href, { path, search }, own)}
      className={className}
      title={go === undefined ? title : `${title} ( g ${go} )`}
      data-go={go}
      aria-current={isHere ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}
