import { FileLink } from '#components/frame/download-link.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { chipClass } from '#components/primitives/chip.ts'
import { ChevronLeft, ChevronRight } from '#components/primitives/icons.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { Freshness } from '#components/text/freshness.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { type CloseQuery, writeCloseQuery } from '#lib/ledger/close/close-query.ts'
import { formatMonth } from '#lib/reconcile/format.ts'

type CloseHeaderProps = {
  query: CloseQuery
  until: string
  accounts: readonly ConnectionSummary[]
  now: number
  mayExport: boolean
}

/** Which months are shown, and the months before and after them. */
export function CloseHeader({ query, until, accounts, now, mayExport }: CloseHeaderProps) {
  const thisMonth = new Date(now).toISOString().slice(0, 7)
  const toHref = (change: Partial<CloseQuery>) =>
    toAddress('/close', writeCloseQuery({ ...query, chosen: null, ...change }))
  const earlier = addYears(until, -1)
  const later = addYears(until, 1)
  return (
    <div className="flex shrink-0 items-start max-md:flex-col">
      <div className="min-w-0 flex-1 max-md:w-full">
        <PageHeader
          title="Close"
          scope={
            <>
              12 months by profile, {formatMonth(addMonths(until, -11))} to {formatMonth(until)} · by month of issue ·
              net of the lines
              <Freshness syncedAt={accounts.map(({ lastGoodSyncAt }) => lastGoodSyncAt)} now={now} />
            </>
          }
        />
      </div>
      <nav aria-label="Months shown" className="close-shown">
        <Link
          href={toHref({ until: earlier })}
          aria-label="12 months before"
          className="button button-quiet button-icon"
        >
          <ChevronLeft size={16} />
        </Link>
        {until < thisMonth && (
          <Link
            href={toHref({ until: later >= thisMonth ? null : later })}
            aria-label="12 months after"
            className="button button-quiet button-icon"
          >
            <ChevronRight size={16} />
          </Link>
        )}
        <Link
          href={toHref({ until: null })}
          aria-current={until === thisMonth ? 'true' : undefined}
          className={chipClass({ look: until === thisMonth ? 'on' : 'plain' })}
        >
          Last 12 months
        </Link>
        <Link
          href={toHref({ unlockedOnly: !query.unlockedOnly })}
          aria-current={query.unlockedOnly ? 'true' : undefined}
          className={chipClass({ look: query.unlockedOnly ? 'on' : 'plain' })}
        >
          Only what is not locked
        </Link>
        <Link href="/close/rules" className={chipClass({ look: 'plain' })}>
          Rules
        </Link>
        {mayExport && <FileLink address={toHref({ until })} look="plain" />}
      </nav>
    </div>
  )
}

function addYears(month: string, count: number): string {
  return addMonths(month, 12 * count)
}

function addMonths(month: string, count: number): string {
  const number = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}
