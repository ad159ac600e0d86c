'use client'

import { usePathname } from 'next/navigation'
import { LISTS, type ListName } from '#components/query/lists.ts'
import { LoadingPage } from './loading-page.tsx'

/** The page of a list before its rows are there: of the one that the address names. */
export function LoadingList() {
  const { label, hasTotals } = LISTS[usePathname().slice(1) as ListName]
  return <LoadingPage title={label} hasFilters hasTotals={hasTotals} />
}
