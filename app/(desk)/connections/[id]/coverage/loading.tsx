import { LoadingPage } from '#components/states/loading-page.tsx'

export default function CoverageLoading() {
  return <LoadingPage title="Coverage" hasTotals rowHeight="tall" />
}
