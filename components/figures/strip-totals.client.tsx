'use client'

import type { ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import { plural } from '#components/text/plural.ts'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import { countLines } from '#components/verdict/verdict-words.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { type StateCounts, stateOf } from '#lib/reconcile/verdict.ts'
import { ShortAmount } from './short-amount.tsx'

export type StripTotal = {
  currency: string
  /** What the total covers: `1,306 lines`. */
  scope: string
  amount: DecimalText
  findingCount: number
  lineStates: StateCounts
  href: string
}

/** The totals of a strip, as what they are made of: as markup they would be sent twice. */
export function StripTotals({ totals, label, scope }: { totals: StripTotal[]; label: string; scope: string | null }) {
  return (
    <Strip label={label}>
      {scope !== null && (
        <p className="strip-all">
          Total of
          <span className="strip-words">{scope}</span>
        </p>
      )}
      {totals.map((total) => (
        <ListLink key={total.currency} href={total.href} className="strip-total">
          <span className="strip-scope">
            {total.currency} · {total.scope}
            {total.findingCount > 0 && (
              <>
                {' · '}
                <VerdictText state={stateOf({ parts: total.lineStates })} isSmall>
                  {formatCount(total.findingCount)}
                  <span className="max-md:sr-only">
                    {total.findingCount === 1 ? ' finding' : ' findings'} on{' '}
                    {plural(countLines(total.lineStates), 'line')}
                  </span>
                </VerdictText>
              </>
            )}
          </span>
          <span className="strip-amount">
            <ShortAmount amount={total.amount} currency={total.currency} />
          </span>
        </ListLink>
      ))}
    </Strip>
  )
}

type StripProps = { label: string; isBusy?: boolean | undefined; className?: string | undefined; children: ReactNode }

/** The band under a list's filters. */
export function Strip({ label, isBusy, className, children }: StripProps) {
  return (
    <section
      aria-label={label}
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className={classNames('list-body strip', className)}
    >
      {children}
    </section>
  )
}
