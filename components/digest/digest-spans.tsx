import { classNames } from '#components/class-names.ts'
import { Link } from '#components/query/link.client.tsx'

/** What is new since when: the last digest, or this morning. */
export function DigestSpans({ isToday }: { isToday: boolean }) {
  const spans = [
    { href: '/digest', text: 'Since the last digest', isCurrent: !isToday },
    { href: '/digest?span=today', text: 'Today so far', isCurrent: isToday },
  ]
  return (
    <nav aria-label="Since when" className="review-tabs">
      {spans.map(({ href, text, isCurrent }) => (
        <Link
          key={href}
          href={href}
          aria-current={isCurrent ? 'page' : undefined}
          className={classNames('review-tab', isCurrent && 'is-current')}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
