'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { plural } from '#components/text/plural.ts'
import type { ReviewNews } from '#lib/ledger/model.ts'
import { KIND_WORDS } from './review-looks.ts'

/** Says within seconds what others decide, and brings the page up to date. */
export function FollowReview() {
  const router = useRouter()
  const [news, setNews] = useState<ReviewNews['others']>([])
  useEffect(() => {
    const asked = new AbortController()
    const follow = async () => {
      const { followNews } = await import('./follow-news.ts')
      followNews(asked.signal, (others, isOutOfDate) => {
        if (others.length > 0) setNews(others)
        if (isOutOfDate) router.refresh()
      })
    }
    follow().catch(() => undefined) // without news the page is as it was
    return () => asked.abort()
  }, [router])
  return (
    <p role="status" className="review-news">
      {news.map(({ number, name, kind, lineCount, of }) => (
        <span key={number}>
          <bdi>{name}</bdi>{' '}
          {kind === 'undo'
            ? `took back a decision about ${plural(lineCount, of)}`
            : `${KIND_WORDS[kind].done} ${plural(lineCount, of)}`}
        </span>
      ))}
    </p>
  )
}
