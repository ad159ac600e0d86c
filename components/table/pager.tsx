import { classNames } from '#components/class-names.ts'
import { buttonClass } from '#components/primitives/button.ts'
import { ChevronLeft, ChevronRight } from '#components/primitives/icons.tsx'
import { ListLink } from '#components/query/navigate.client.tsx'
import { formatCount } from '#lib/reconcile/format.ts'

export type PagerProps = {
  /** The places of the first row shown and of the one after the last. */
  from: number
  to: number
  /** Of all pages; null while they are counted: then there are more than these. */
  rowCount: number | null
  /** The records' name: `lines`. */
  noun: string
  /** Addresses of the pages before and after; null where there is none. */
  previous: string | null
  next: string | null
  /** Goes on in the rows that are there, where they go on by themselves. */
  turn?: ((direction: 1 | -1) => void) | undefined
}

/** The position in the list, and links to the rows before and after. */
export function Pager({ from, to, rowCount, noun, previous, next, turn }: PagerProps) {
  const shown = `${formatCount(Math.min(from + 1, rowCount ?? to))}–${formatCount(to)}`
  const whole = rowCount === null ? `more than ${formatCount(to)}` : formatCount(rowCount)
  return (
    <nav aria-label="Pages" className="pager">
      <span>{rowCount === 0 ? `No ${noun}` : rowCount === 1 ? `1 ${noun}` : `${shown} of ${whole} ${noun}`}</span>
      {(previous !== null || next !== null) && (
        <span className="flex gap-1">
          <Step href={previous} label="Previous page" icon="previous" onTurn={turn && (() => turn(-1))} />
          <Step href={next} label="Next page" icon="next" onTurn={turn && (() => turn(1))} />
        </span>
      )}
    </nav>
  )
}

type StepProps = { href: string | null; label: string; icon: 'previous' | 'next'; onTurn: (() => void) | undefined }

function Step({ href, label, icon, onTurn }: StepProps) {
  const Icon = icon === 'previous' ? ChevronLeft : ChevronRight
  const look = buttonClass({ look: 'plain', size: 'step' })
  if (href === null)
    return (
      <span className={classNames(look, 'opacity-40')} aria-hidden>
        <Icon size={14} />
      </span>
    )
  return (
    <ListLink href={href} aria-label={label} title={label} className={look} onTurn={onTurn}>
      <Icon size={14} />
    </ListLink>
  )
}
