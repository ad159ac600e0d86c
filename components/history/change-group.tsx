import type { ReactNode } from 'react'
import { LINE_PARAMETER, writeLineKey } from '#components/lines/line-key.ts'
import { toAddress, toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { describeRun } from '#components/sync/run-words.ts'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import type { InvoiceChanges, LineChange } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { FieldChanges } from './field-changes.tsx'
import { MoneyEffect } from './money-effect.tsx'

type ChangeGroupProps = { group: InvoiceChanges; withConnection: boolean; now: number }

/** What one run changed on one invoice: the invoice's own fields, then its lines. */
export function ChangeGroup({ group, withConnection, now }: ChangeGroupProps) {
  const { connectionId, serialNumber, lines } = group
  const own = lines.filter(({ isInherited }) => !isInherited)
  const inherited = lines.length - own.length
  const rest = group.lineCount - lines.length
  return (
    <article className="grid grid-cols-[minmax(220px,300px)_minmax(0,1fr)] gap-x-8 gap-y-2 border-b px-5 py-3 max-md:grid-cols-1 max-md:px-4">
      <header className="min-w-0 text-[13px]">
        <h2 className="truncate font-medium text-[13px]">
          <Link href={toInvoiceAddress(connectionId, serialNumber)} className="hover:underline">
            <bdi>{serialNumber}</bdi>
          </Link>
        </h2>
        <p className="truncate text-ink2">
          <bdi>{group.profileName ?? 'Unknown profile'}</bdi>
          {withConnection && group.connectionName && (
            <>
              {' · '}
              <bdi>{group.connectionName}</bdi>
            </>
          )}
        </p>
        <p className="text-[12px] text-ink3">
          <RelativeTime at={group.seenAt} now={now} /> · {describeRun(group)}
        </p>
      </header>
      <div className="flex min-w-0 flex-col gap-3">
        {group.invoice.map((change) => (
          <Change key={change.seenAt} title="Invoice" note={null} change={change} />
        ))}
        {own.map((line) => (
          <Change
            key={`${line.lineId} ${line.seenAt}`}
            title={
              <Link href={toLineAddress(connectionId, serialNumber, line.lineId)} className="hover:underline">
                <bdi>{line.description || 'Line without a description'}</bdi>
              </Link>
            }
            note={
              <>
                expense of {formatDay(line.expenseDate)}
                {line.isLate && (
                  <span className="ml-1.5 inline-block whitespace-nowrap rounded bg-warnbg px-1.5 text-warn">
                    late correction
                  </span>
                )}
              </>
            }
            change={line}
          />
        ))}
        {(inherited > 0 || rest > 0) && (
          <p className="text-[12.5px] text-ink2">
            {inherited > 0 &&
              `${plural(inherited, 'line repeats', 'lines repeat')} only the changes to the invoice${rest > 0 ? '; ' : '.'}`}
            {rest > 0 && (
              <Link href={toLinesAddress(connectionId, serialNumber)} className="text-accent hover:underline">
                {plural(rest, 'further line')} changed
              </Link>
            )}
          </p>
        )}
      </div>
    </article>
  )
}

type ChangeProps = { title: ReactNode; note: ReactNode; change: LineChange | InvoiceChanges['invoice'][number] }

function Change({ title, note, change }: ChangeProps) {
  return (
    <section className="min-w-0">
      <div className="flex items-baseline justify-between gap-3 text-[13px]">
        <h3 className="min-w-0 [overflow-wrap:anywhere]">
          {title}
          {note && <span className="ml-2 text-[12px] text-ink3 max-md:ml-0 max-md:block">{note}</span>}
        </h3>
        <MoneyEffect change={change} />
      </div>
      <div className="mt-1">
        <FieldChanges fields={change.fields} />
      </div>
    </section>
  )
}

/** The line's panel beside its invoice. */
function toLineAddress(connectionId: ConnectionId, serialNumber: string, id: string): string {
  const search = new URLSearchParams({ [LINE_PARAMETER]: writeLineKey({ connectionId, id }) })
  return toAddress(toInvoiceAddress(connectionId, serialNumber), search.toString())
}

function toLinesAddress(connectionId: ConnectionId, serialNumber: string): string {
  return toAddress(
    '/lines',
    writeLineQuery({ ...DEFAULT_LINE_QUERY, connections: [connectionId], invoices: [serialNumber] }),
  )
}
