import { EmptyState } from '#components/states/empty-state.tsx'
import type { ReviewCount } from '#lib/ledger/model.ts'
import type { ReviewTab } from '#lib/ledger/query/review-query.ts'

const WORDS: Record<ReviewTab, { title: string; text: string }> = {
  open: {
    title: 'Nothing is open',
    text: 'Every line with a finding in this scope is decided. What the next sync finds comes here.',
  },
  mine: {
    title: 'Nothing waits for you',
    text: 'Lines that somebody gives to you, or names you in a comment of, are listed here.',
  },
  disputed: { title: 'Nothing is disputed', text: 'Lines that you dispute wait here until the platform answers.' },
  suspended: {
    title: 'Nothing has changed since',
    text: 'When the platform changes a line after you decided it, the decision falls and the line comes here.',
  },
  done: { title: 'Nothing is done yet', text: 'Lines that are accepted or settled are listed here.' },
}

/** A tab without lines says what would be there. */
export function NothingToReview({ tab, counts }: { tab: ReviewTab; counts: ReviewCount[] }) {
  const { title, text } = WORDS[tab]
  return (
    <EmptyState title={counts.length === 0 && tab === 'open' ? 'No findings' : title}>
      {counts.length === 0 && tab === 'open' ? 'No line of this scope has a finding, and nobody decided one.' : text}
    </EmptyState>
  )
}
