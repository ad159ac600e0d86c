import { LoadingPage } from '#components/states/loading-page.tsx'

export default function OverviewLoading() {
  return (
    <LoadingPage
      title="Overview"
      hasTotals
      rowHeight="tall"
      side={<div className="w-[360px] shrink-0 border-l max-lg:hidden" />}
    />
  )
}
