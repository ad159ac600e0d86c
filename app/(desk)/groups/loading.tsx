import { LoadingPage } from '../../../components/states/loading-page.tsx'

export default function GroupsLoading() {
  return <LoadingPage title="Groups" hasFilters />
}
