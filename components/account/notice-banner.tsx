import { Banner } from '#components/primitives/banner.tsx'
import type { Notice } from './account-words.ts'

export function NoticeBanner({ notice }: { notice: Notice | null }) {
  if (notice === null) return null
  return (
    <Banner tone={notice.tone} className="mb-4 rounded-r-md">
      {notice.text}
    </Banner>
  )
}
