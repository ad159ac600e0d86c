'use client'

import { startTransition, useLayoutEffect, useOptimistic, useRef, useState } from 'react'
import { afterPaint } from '#components/query/after-paint.ts'
import { useNavigate } from '#components/query/navigate.client.tsx'
import type { Sort } from '#lib/ledger/query/search-params.ts'

/** A list's order: the column names show a new one at once; the address and the rows follow. */
export function useSort<Key extends string>(
  settled: Sort<Key>,
  toAddress: (sort: Sort<Key>) => string,
): { sort: Sort<Key>; sortBy: (sort: Sort<Key>) => void } {
  const [sort, setSort] = useOptimistic(settled)
  const { navigate } = useNavigate()
  const lead = useRef<(next: Sort<Key>) => void>(() => undefined)
  useLayoutEffect(() => {
    lead.current = (next) => navigate(toAddress(next))
  })
  // the same function for good: names that stay are not drawn again
  const [sortBy] = useState(
    () => (next: Sort<Key>) =>
      startTransition(async () => {
        setSort(next)
        await afterPaint()
        lead.current(next)
      }),
  )
  return { sort, sortBy }
}
