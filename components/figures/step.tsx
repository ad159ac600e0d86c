import type { ReactNode } from 'react'
import { Link } from '#components/query/link.client.tsx'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { ShortAmount } from './short-amount.tsx'

type StepProps = {
  /** As in the column's head; a phone shows it beside the figure. */
  name: string
  sign?: '+' | '−' | '='
  /** Null if there is none. */
  amount: DecimalText | null
  currency: string
  isSigned?: boolean
  look?: string
  href?: string | null
  note?: ReactNode
}

/** One figure of an equation laid out as a table's row (app/frame.css). */
export function Step({ name, sign, amount, currency, isSigned = false, look, href = null, note = null }: StepProps) {
  const isShown = amount !== null
  const figure = isShown && <ShortAmount amount={amount} currency={currency} signed={isSigned} />
  return (
    <td data-name={name} data-none={isShown ? undefined : ''}>
      {sign && (
        <span aria-hidden className="sign">
          {sign}
        </span>
      )}
      {isShown ? (
        href === null ? (
          <span className={look}>{figure}</span>
        ) : (
          <Link href={href} className={look}>
            {figure}
          </Link>
        )
      ) : (
        <span className="text-ink3">—</span>
      )}
      {note !== null && <small>{note}</small>}
    </td>
  )
}
