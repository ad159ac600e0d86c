'use client'

import { type ReactNode, Suspense, useState } from 'react'

type PageSlotProps = {
  /** Whether the page comes after its skeleton. */
  isLate: boolean
  skeleton: ReactNode
  children: ReactNode
}

/**
 * The place of a page. One that came at once is part of the document, seen without any script; in a
 * boundary React would send it behind its own skeleton. What the page began with stays: another
 * element here would lose what was typed.
 */
export function PageSlot({ isLate, skeleton, children }: PageSlotProps) {
  const [wasLate] = useState(isLate)
  return wasLate ? <Suspense fallback={skeleton}>{children}</Suspense> : children
}
