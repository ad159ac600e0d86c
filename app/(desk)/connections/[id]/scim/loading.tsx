import { LoadingPage } from '#components/states/loading-page.tsx'

export default function ScimLoading() {
  return <LoadingPage title="SCIM discovery" />
}
