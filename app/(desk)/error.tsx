'use client'

import { FailedPage, type FailedPageProps } from '#components/states/failed-page.client.tsx'

export default function DeskError(props: FailedPageProps) {
  return <FailedPage {...props} />
}
