import { LoadingPage } from '../../../components/states/loading-page.tsx'

export default function LinesLoading() {
  return <LoadingPage title="Lines" hasFilters hasTotals />
}
