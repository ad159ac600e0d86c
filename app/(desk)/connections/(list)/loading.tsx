import { LoadingPage } from '#components/states/loading-page.tsx'

export default function ConnectionsLoading() {
  return <LoadingPage title="Connections" rowHeight="tall" />
}
