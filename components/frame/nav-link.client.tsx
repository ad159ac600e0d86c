'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '#components/query/link.client.tsx'

type NavLinkProps = { href: string; className: string; title?: string; children: ReactNode }

/** A link of the frame. Its page, and pages under it, mark it with `aria-current`. */
export function NavLink({ href, className, title, children }: NavLinkProps) {
  const path = usePathname()
  const isHere = href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
  return (
    <Link href={href} className={className} title={title} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  )
}
