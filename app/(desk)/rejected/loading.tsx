import { LoadingPage } from '#components/states/loading-page.tsx'

export default function RejectedLoading() {
  return <LoadingPage title="Rejected lines" rowHeight="tall" />
}
