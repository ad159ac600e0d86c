import { LoadingPage } from '#components/states/loading-page.tsx'

export default function ConnectionLoading() {
  return <LoadingPage title="Connection" rowHeight="tall" />
}
