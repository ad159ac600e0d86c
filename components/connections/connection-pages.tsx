import { buttonClass } from '#components/primitives/button.ts'
import { toAddress } from '#components/query/address.ts'
import { toListAddress } from '#components/query/list-address.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { NumberedPager } from '#components/table/numbered-pager.tsx'
import { plural } from '#components/text/plural.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import {
  type ConnectionQuery,
  type ConnectionShow,
  DEFAULT_CONNECTION_QUERY,
  TEXT_NAME,
  writeConnectionQuery,
} from '#lib/ledger/query/connection-query.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { type ArrangedConnections, CONNECTIONS_PER_PAGE } from './list/arrange-connections.ts'
import { ConnectionFilters } from './list/connection-filters.client.tsx'
import { ConnectionTable } from './list/connection-table.client.tsx'

type ConnectionPagesProps = {
  /** All connections; a single one needs no filters. */
  connections: ConnectionSummary[]
  arranged: ArrangedConnections
  query: ConnectionQuery
  now: number
  canSync: boolean
  canConnect: boolean
}

const NAMES: [ConnectionShow, string][] = [
  ['all', 'All'],
  ['attention', 'Need attention'],
  ['disconnected', 'Disconnected'],
]

/** One page of connections, with filters above and paging below. */
export function ConnectionPages({ connections, arranged, query, now, canSync, canConnect }: ConnectionPagesProps) {
  const { rows, count, page, pageCount, counts } = arranged
  const to = (change: Partial<ConnectionQuery>) =>
    toAddress('/connections', writeConnectionQuery({ ...query, page: 1, ...change }))
  return (
    <>
      {connections.length > 1 && (
        <ConnectionFilters
          choices={NAMES.map(([show, name]) => ({
            name,
            count: counts[show],
            href: to({ show }),
            isOn: query.show === show,
          }))}
          search={writeConnectionQuery(query)}
          textName={TEXT_NAME}
        />
      )}
      {count > 0 ? (
        <ConnectionTable
          connections={rows}
          view={{ search: writeConnectionQuery(query), sort: query.sort, ownSort: DEFAULT_CONNECTION_QUERY.sort }}
          lineAddresses={Object.fromEntries(rows.map(({ id }) => [id, toLinesOf(id)]))}
          now={now}
          canSync={canSync}
          canConnect={canConnect}
        />
      ) : (
        <EmptyState
          title="No connections match"
          action={
            <ListLink href="/connections" className={buttonClass({ look: 'primary' })}>
              Show all connections
            </ListLink>
          }
        >
          {plural(connections.length, 'connection')} in total.
        </EmptyState>
      )}
      {pageCount > 1 && (
        <div className="flex shrink-0 justify-end border-t px-5 py-1.5 max-md:px-4">
          <NumberedPager
            page={page}
            pageCount={pageCount}
            pageSize={CONNECTIONS_PER_PAGE}
            rowCount={count}
            noun="connections"
            toAddress={(next) => to({ page: next })}
          />
        </div>
      )}
    </>
  )
}

const toLinesOf = (connectionId: string) =>
  toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, connections: [connectionId] } })
