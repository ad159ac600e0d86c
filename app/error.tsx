'use client'

import { FailedPage, type FailedPageProps } from '#components/states/failed-page.client.tsx'

/** Also for a frame that failed to render because the session or the counts could not be read. */
export default function RootError(props: FailedPageProps) {
  return (
    <main className="page-alone">
      <FailedPage {...props} />
    </main>
  )
}
