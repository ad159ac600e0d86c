import { LoadingPage } from '#components/states/loading-page.tsx'

export default function DriftLoading() {
  return <LoadingPage title="Interface" />
}
