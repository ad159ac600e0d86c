'use client'

import { usePathname } from 'next/navigation'
import { LISTS, type ListName } from '#components/query/lists.ts'
import { LoadingPage } from './loading-page.tsx'

/** A list's page while its rows load; the address says which list. */
export function LoadingList() {
  const { label, hasTotals } = LISTS[usePathname().slice(1) as ListName]
  return <LoadingPage title={label} hasFilters hasTotals={hasTotals} />
}
