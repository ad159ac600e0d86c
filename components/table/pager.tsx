import { classNames } from '#components/class-names.ts'
import { buttonClass } from '#components/primitives/button.ts'
import { ChevronLeft, ChevronRight } from '#components/primitives/icons.tsx'
import { ListLink } from '#components/query/navigate.client.tsx'
import { formatCount } from '#lib/reconcile/format.ts'

type PagerProps = {
  page: number
  pageCount: number
  pageSize: number
  rowCount: number
  /** The records' name: `lines`. */
  noun: string
  toAddress: (page: number) => string
}

/** The position in the list, and links to the other pages. */
export function Pager({ page, pageCount, pageSize, rowCount, noun, toAddress }: PagerProps) {
  const first = rowCount === 0 ? 0 : (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, rowCount)
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 text-[12.5px] text-ink2 tabular-nums">
      <span>
        {rowCount === 0
          ? `No ${noun}`
          : `${formatCount(first)}–${formatCount(last)} of ${formatCount(rowCount)} ${noun}`}
      </span>
      {pageCount > 1 && (
        <span className="flex gap-1">
          <Step href={page > 1 ? toAddress(page - 1) : null} label="Previous page" icon="previous" />
          <Step href={page < pageCount ? toAddress(page + 1) : null} label="Next page" icon="next" />
        </span>
      )}
    </nav>
  )
}

function Step({ href, label, icon }: { href: string | null; label: string; icon: 'previous' | 'next' }) {
  const Icon = icon === 'previous' ? ChevronLeft : ChevronRight
  const look = buttonClass({ look: 'plain', size: 'step' })
  if (href === null)
    return (
      <span className={classNames(look, 'opacity-40')} aria-hidden>
        <Icon size={14} />
      </span>
    )
  return (
    <ListLink href={href} aria-label={label} title={label} className={look}>
      <Icon size={14} />
    </ListLink>
  )
}
