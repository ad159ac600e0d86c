import { LoadingPage } from '#components/states/loading-page.tsx'

export default function AnswersLoading() {
  return <LoadingPage title="Bad answers" />
}
