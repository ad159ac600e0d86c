'use client'

import { startTransition, useOptimistic } from 'react'
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
  return {
    sort,
    sortBy: (next) =>
      startTransition(async () => {
        setSort(next)
        await afterPaint()
        navigate(toAddress(next))
      }),
  }
}
