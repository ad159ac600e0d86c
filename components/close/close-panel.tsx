import type { ReactNode } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { X } from '#components/primitives/icons.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import type { ClosePeriod } from '#lib/ledger/close/read-close.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { CloseChecklist } from './close-checklist.tsx'
import { CloseDrift } from './close-drift.tsx'
import { CloseExceptions } from './close-exceptions.tsx'
import { ClosePast } from './close-past.tsx'
import { CloseSteps } from './close-steps.tsx'
import type { Acting } from './list-actions.ts'

type ClosePanelProps = {
  period: ClosePeriod
  /** The account's name, for its own month. */
  accountName: string
  /** The page without the panel. */
  closedHref: string
  /** What this person may do here. */
  actions: ReactNode
  acting: Acting
  /** ISO 8601. */
  now: string
}

/** One month of a profile or of an account: what is checked, who signed, and what came after. */
export function ClosePanel({ period, accountName, closedHref, actions, acting, now }: ClosePanelProps) {
  const { scope, cell } = period
  const name = period.name ?? accountName
  const lineCount = cell.money.reduce((count, each) => count + each.lineCount, 0)
  return (
    <section aria-labelledby="close-period" className="close-panel">
      <header>
        <h2 id="close-period">
          {formatMonth(scope.month)} – <bdi>{name}</bdi>
        </h2>
        <Link href={closedHref} aria-label="Close the panel" className="button button-quiet button-icon">
          <X size={16} />
        </Link>
        <p>
          {plural(cell.invoiceCount, 'invoice')} · {plural(lineCount, 'line')}
          {cell.money.map(({ currency, net }) => (
            <span key={currency} className="whitespace-nowrap">
              {' '}
              · net <ShortAmount amount={net} currency={currency} /> {currency}
            </span>
          ))}
        </p>
        {scope.kind === 'profile_month' && (
          <Link
            href={toAddress('/close', `period=${scope.month}&profile=${scope.connectionId}`)}
            className="text-accent hover:underline"
          >
            All of the account
          </Link>
        )}
        <div className="close-actions">{actions}</div>
      </header>
      <CloseChecklist period={period} />
      <CloseSteps period={period} />
      <CloseDrift period={period} />
      <CloseExceptions exceptions={period.exceptions} mayEnd={isAllowed(acting.role, 'lock')} now={now} />
      <ClosePast period={period} />
    </section>
  )
}
