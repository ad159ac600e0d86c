'use client'

import NextLink from 'next/link'
import { type AnchorHTMLAttributes, type MouseEvent, useState } from 'react'

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  /**
   * When what the target shows while it loads is asked for: as soon as this page stands (the
   * frame's destinations), when somebody is about to go there, or never (one of many links, which
   * the pointer passes over on its way).
   */
  prefetch?: 'early' | 'hover' | false
}

/** A link to another page of ours. By itself `next/link` asks for every link in sight. */
export function Link({ prefetch = 'hover', ...rest }: LinkProps) {
  const [isNear, setNear] = useState(false)
  const isAsked = prefetch === 'early' || (prefetch === 'hover' && isNear)
  const approach = () => setNear(true)
  return <NextLink {...rest} prefetch={isAsked ? null : false} onPointerEnter={approach} onFocus={approach} />
}

/** A click that opens a new tab or window, or saves the page. */
export function isForBrowser(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
}
