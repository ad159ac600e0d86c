import { LoadingList } from '#components/states/loading-list.client.tsx'

export default function ListLoading() {
  return <LoadingList />
}
