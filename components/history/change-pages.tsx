import { buttonClass } from '#components/primitives/button.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { plural } from '#components/text/plural.ts'
import type { ChangeList } from '#lib/ledger/model.ts'
import {
  CHANGE_GROUPS_PER_PAGE,
  type ChangeQuery,
  DEFAULT_CHANGE_DAYS,
  DEFAULT_CHANGE_QUERY,
} from '#lib/ledger/query/history-query.ts'
import { toChangesAddress } from './change-filters.tsx'
import { ChangeGroup } from './change-group.tsx'
import { PagesFoot } from './pages-foot.tsx'

type ChangePagesProps = {
  list: ChangeList
  query: ChangeQuery
  /** Names each group's connection, when there are several. */
  withConnection: boolean
  now: number
}

/** One page of changed invoices, with paging. */
export function ChangePages({ list, query, withConnection, now }: ChangePagesProps) {
  if (list.groups.length === 0) return <NoChanges query={query} />
  return (
    <>
      <div className="list-body min-h-0 flex-1 overflow-y-auto max-md:flex-none max-md:overflow-visible">
        <table aria-label="Changes" className="changes">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">What</th>
              <th scope="col" className="figure">
                Before
              </th>
              <th scope="col" className="figure">
                Now
              </th>
              <th scope="col" className="figure">
                Effect
              </th>
            </tr>
          </thead>
          {list.groups.map((group) => (
            <ChangeGroup
              key={`${group.connectionId} ${group.serialNumber} ${group.runId} ${group.seenAt}`}
              group={group}
              withConnection={withConnection}
              now={now}
            />
          ))}
        </table>
      </div>
      <PagesFoot
        page={query.page}
        pageCount={list.pageCount}
        pageSize={CHANGE_GROUPS_PER_PAGE}
        rowCount={list.groupCount}
        noun={list.groupCount === 1 ? 'changed invoice' : 'changed invoices'}
        toAddress={(page) => toChangesAddress({ ...query, page })}
      />
    </>
  )
}

function NoChanges({ query }: { query: ChangeQuery }) {
  const cleared = toChangesAddress({ ...DEFAULT_CHANGE_QUERY, scope: query.scope })
  const isFiltered = toChangesAddress({ ...query, page: 1 }) !== cleared
  return (
    <EmptyState
      title={isFiltered ? 'No changes match these filters' : 'No record was corrected'}
      action={
        isFiltered && (
          <ListLink href={cleared} className={buttonClass({ look: 'primary' })}>
            Show the last {plural(DEFAULT_CHANGE_DAYS, 'day')}
          </ListLink>
        )
      }
    >
      When the platform corrects an invoice or a line, the former values are kept and the differences listed here.
    </EmptyState>
  )
}
