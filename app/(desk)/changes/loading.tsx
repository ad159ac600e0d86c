import { LoadingPage } from '#components/states/loading-page.tsx'

export default function ChangesLoading() {
  return <LoadingPage title="Changes" hasFilters hasTotals rowHeight="tall" />
}
