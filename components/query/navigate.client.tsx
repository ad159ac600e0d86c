'use client'

import { useRouter } from 'next/navigation'
import { type AnchorHTMLAttributes, type MouseEvent, useEffect, useTransition } from 'react'
import { isForBrowser } from './link.client.tsx'

/**
 * Navigates while the page stays usable; after 300 ms the content to be replaced fades
 * (globals.css).
 */
export function useNavigate(): { isPending: boolean; navigate: (address: string, mode?: 'push' | 'replace') => void } {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  useEffect(() => {
    if (!isPending) return
    document.documentElement.dataset.pending = ''
    return () => {
      delete document.documentElement.dataset.pending
    }
  }, [isPending])
  return {
    isPending,
    navigate: (address, mode = 'push') =>
      startTransition(() => {
        router[mode](address, { scroll: false })
      }),
  }
}

type ListLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

/**
 * A real link to another view of the same list (new tab, copy address) that keeps the frame on a
 * plain click.
 */
export function ListLink({ href, children, ...rest }: ListLinkProps) {
  const { navigate } = useNavigate()
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (isForBrowser(event)) return
    event.preventDefault()
    navigate(href)
  }
  return (
    <a href={href} onClick={onClick} {...rest}>
      {children}
    </a>
  )
}
