'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '#components/query/link.client.tsx'
import { carryPeriod } from './carry-period.ts'

type NavLinkProps = {
  href: string
  /** The period that its page begins with; absent if it has none. */
  period?: string | undefined
  className: string
  title?: string
  children: ReactNode
}

/**
 * A link of the frame. Its page, and pages under it, mark it with `aria-current`. It keeps the
 * period of the page that one is on.
 */
export function NavLink({ href, period, className, title, children }: NavLinkProps) {
  const path = usePathname()
  const search = useSearchParams()
  const isHere = href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
  return (
    <Link
      href={period === undefined ? href : carryPeriod(href, { path, search, period })}
      className={className}
      title={title}
      aria-current={isHere ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}
