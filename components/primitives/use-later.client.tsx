'use client'

import { useEffect } from 'react'

const LATER_MS = 600

/** Loads what is needed only after an input: after the page, and mostly before the input. */
export function useLater(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => undefined), LATER_MS)
    return () => clearTimeout(timer)
  }, [load])
}
