'use client'

import { useState } from 'react'
import { classNames } from '#components/class-names.ts'
import { Banner } from '#components/primitives/banner.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { Link } from '#components/query/link.client.tsx'
import { type ListView, toViewAddress } from '#components/query/view-address.ts'
import { wishSync } from '#components/sync/sync-wish.ts'
import { SortLink, toAriaSort } from '#components/table/sort-link.tsx'
import { useSort } from '#components/table/use-sort.client.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { ConnectionSortKey } from '#lib/ledger/query/connection-query.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { ConnectionActions, type ConnectionRights } from '../connection-actions.client.tsx'
import { toAccountName } from '../connection-state.ts'
import { AccountCell, LinesCell, LinkCell, NextSyncCell } from './connection-cells.tsx'
import { ConnectionStateCell } from './connection-state-cell.tsx'
import { useLiveConnections } from './live-connections.client.tsx'

type ConnectionTableProps = ConnectionRights & {
  connections: ConnectionSummary[]
  view: Pick<ListView<ConnectionSortKey>, 'search' | 'sort' | 'ownSort'>
  /** Where each connection's lines are, by its id. */
  lineAddresses: Record<string, string>
  /** The server's clock in milliseconds. */
  now: number
}

type Column = { name: string; sortKey?: ConnectionSortKey; align?: 'end'; width: string }

const COLUMNS: Column[] = [
  { name: 'Account', sortKey: 'name', width: 'w-[22%]' },
  { name: 'State', sortKey: 'attention', width: 'w-[30%]' },
  { name: 'Lines stored', sortKey: 'lines', align: 'end', width: 'w-[12%]' },
  { name: 'Last good sync', sortKey: 'synced', width: 'w-[12%]' },
  { name: 'Next sync', width: 'col-next w-[10%]' },
  { name: 'Access valid until', sortKey: 'ends', width: 'w-[14%]' },
]

/** The accounts of a page: state, tokens, records held and actions. */
export function ConnectionTable({
  connections: drawn,
  view,
  lineAddresses,
  now: drawnAt,
  canSync,
  canConnect,
}: ConnectionTableProps) {
  const { connections, now, isStale, look } = useLiveConnections(drawn, drawnAt)
  const [failure, setFailure] = useState<string | null>(null)

  const sortAddress = (sort: Sort<ConnectionSortKey>) => toViewAddress('/connections', view, { sort })
  const { sort, sortBy } = useSort(view.sort, sortAddress)
  const sync = async (connection: ConnectionSummary) => {
    const refusal = await wishSync(connection)
    setFailure(refusal)
    if (refusal === null) look()
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col border-t max-md:flex-none">
      {failure !== null && (
        <Banner tone="bad" className="border-b">
          {failure}
        </Banner>
      )}
      {isStale && (
        <Banner tone="warn" className="border-b">
          The server does not answer; what is shown below may be old. Asking again.
        </Banner>
      )}
      <ScrollBox label="Connections" className="list-body list-box">
        <table className="connection-table">
          <thead className="max-md:sr-only">
            <tr>
              {COLUMNS.map(({ name, sortKey, align, width }) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={toAriaSort(sort, sortKey)}
                  className={classNames('cell-head', width, align === 'end' && 'text-right')}
                >
                  {sortKey === undefined ? (
                    name
                  ) : (
                    <SortLink sortKey={sortKey} sort={sort} align={align} toAddress={sortAddress} sortBy={sortBy}>
                      {name}
                    </SortLink>
                  )}
                </th>
              ))}
              <th scope="col" className="cell-head w-[142px]">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody className="max-md:block">
            {connections.map((connection) => (
              <tr key={connection.id} className="account-row">
                <td>
                  <AccountCell connection={connection} now={now} />
                </td>
                <td className="col-state">
                  <ConnectionStateCell connection={connection} now={now} />
                </td>
                <td className="col-lines">
                  <LinesCell connection={connection} href={lineAddresses[connection.id] ?? '/lines'} />
                </td>
                <td className="col-synced">
                  {connection.lastGoodSyncAt === null ? (
                    <span className="text-ink3">not yet</span>
                  ) : (
                    <>
                      <span className="md:hidden">synced </span>
                      <RelativeTime at={connection.lastGoodSyncAt} now={now} />
                    </>
                  )}
                  <div className="text-[12px] leading-4 max-md:hidden">
                    <Link
                      href={`/connections/${connection.id}/coverage`}
                      aria-label={`Coverage of ${toAccountName(connection)}`}
                      className="text-accent hover:underline"
                    >
                      coverage
                    </Link>
                  </div>
                </td>
                <td className="col-next">
                  <NextSyncCell connection={connection} now={now} />
                </td>
                <td className="col-access">
                  <LinkCell connection={connection} now={now} label="Access:" />
                </td>
                <td className="col-actions">
                  <ConnectionActions connection={connection} canSync={canSync} canConnect={canConnect} onSync={sync} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  )
}
