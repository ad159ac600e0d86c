'use client'

import { useEffect } from 'react'

/** Marks in the page's lists what the search found. Loads with the first search. */
export function HitMarks({ search }: { search: string }) {
  useEffect(() => {
    if (search === '') return
    let end: (() => void) | null = null
    let isOver = false
    const begin = async () => {
      const { markHits } = await import('./mark-hits.ts')
      if (!isOver) end = markHits(search)
    }
    begin().catch(() => undefined) // without marks the list is whole
    return () => {
      isOver = true
      end?.()
    }
  }, [search])
  return null
}
