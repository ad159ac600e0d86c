'use client'

import { useRouter } from 'next/navigation'
import {
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
  useTransition,
} from 'react'

/** What an address replaces: the whole page, or the rows of the list that stays. */
type Replaced = 'page' | 'list'

/** An answer that comes sooner changes nothing on the way: not even a style is looked up again. */
const NOTICEABLE_MS = 300

/**
 * Navigates while the page stays usable; what is to be replaced stays too, and fades after 300 ms
 * (globals.css).
 */
export function useNavigate(replaced: Replaced = 'list'): {
  isPending: boolean
  navigate: (address: string, mode?: 'push' | 'replace') => void
} {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => {
      document.documentElement.dataset.pending = replaced
    }, NOTICEABLE_MS)
    return () => {
      clearTimeout(timer)
      delete document.documentElement.dataset.pending
    }
  }, [isPending, replaced])
  return {
    isPending,
    navigate: (address, mode = 'push') =>
      startTransition(() => {
        router[mode](address, { scroll: replaced === 'page' })
      }),
  }
}

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  /** What a plain click does instead, where the view is there already. */
  onTurn?: (() => void) | undefined
}

/**
 * A real link to another view of the same list (new tab, copy address) that keeps the frame on a
 * plain click.
 */
export function ListLink(props: LinkProps) {
  return <RouterLink replaced="list" {...props} />
}

/** A link that leads there without loading the document again, as `useNavigate` does. */
export function RouterLink({ replaced, href, onClick, onTurn, children, ...rest }: LinkProps & { replaced: Replaced }) {
  const { navigate } = useNavigate(replaced)
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || isForBrowser(event)) return
    event.preventDefault()
    if (onTurn) onTurn()
    else navigate(href)
  }
  return (
    <a href={href} {...rest} onClick={go}>
      {children}
    </a>
  )
}

/** A click that opens a new tab or window, or saves the page. */
export function isForBrowser(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
}

type PageSlotProps = {
  /** Whether the page comes after its skeleton. */
  isLate: boolean
  skeleton: ReactNode
  children: ReactNode
}

/**
 * The place of a page. One that came at once is part of the document, seen without any script; in a
 * boundary React would send it behind its own skeleton. What the page began with stays: another
 * element here would lose what was typed. It is here because every page has this file already; one
 * of its own would be a script more for each.
 */
export function PageSlot({ isLate, skeleton, children }: PageSlotProps) {
  const [wasLate] = useState(isLate)
  return wasLate ? <Suspense fallback={skeleton}>{children}</Suspense> : children
}
