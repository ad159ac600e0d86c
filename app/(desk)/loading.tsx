import { LoadingPage } from '../../components/states/loading-page.tsx'

export default function OverviewLoading() {
  return <LoadingPage title="Overview" hasTotals rowHeight="tall" />
}
