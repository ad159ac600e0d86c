import type { Metadata } from 'next'
import { TotalsStrip } from '#components/figures/totals-strip.tsx'
import { describeScope } from '#components/filters/filter-scope.ts'
import { ListFilters } from '#components/filters/list-filters.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { LineTable } from '#components/lines/line-table.client.tsx'
import { toListView } from '#components/query/list-view.ts'
import { EmptyList } from '#components/states/empty-list.tsx'
import { packRows } from '#components/table/packed-rows.ts'
import { Freshness } from '#components/text/freshness.tsx'
import { plural } from '#components/text/plural.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { parseLineQuery } from '#lib/ledger/query/line-query.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'
import { listSyncTimes } from '#lib/ledger/read/list-sync-times.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { deskPage } from '../../desk-page.tsx'
import { readFilterOptions } from '../../read-filter-options.ts'
import { ListActions } from '../list-actions.tsx'

export const metadata: Metadata = { title: 'Lines' }

export default deskPage({ path: '/lines', may: 'read' }, async ({ session, searchParams }) => {
  const query = parseLineQuery(searchParams)
  const { organizationId } = session
  const [list, options, syncTimes] = await Promise.all([
    listLines(organizationId, query),
    readFilterOptions(organizationId, query.trips),
    listSyncTimes(organizationId),
  ])
  const isWhole = list.lineCount === list.allLineCount
  const part = isWhole ? null : `${formatCount(list.lineCount)} of ${plural(list.allLineCount, 'line')}`
  return (
    <>
      <PageHeader
        title="Lines"
        scope={
          <>
            {describeScope(query, options, 'lines')} · {part ?? plural(list.lineCount, 'line')}
            <Freshness syncedAt={syncTimes} now={Date.now()} />
          </>
        }
        actions={<ListActions target={{ list: 'lines', query }} session={session} />}
      />
      <ListFilters
        target={{ list: 'lines', query }}
        options={options}
        searchParams={searchParams}
        searchHint="Search text or an exact amount"
      />
      {list.lineCount > 0 ? (
        <>
          <TotalsStrip
            label="Totals of the lines shown"
            scope={part}
            totals={list.totals}
            target={{ list: 'lines', query }}
          />
          <LineTable
            rows={packRows(list.rows)}
            view={toListView('lines', query)}
            lineCount={list.lineCount}
            place={list.place}
            path="/lines"
          />
        </>
      ) : (
        <EmptyList
          noun="line"
          allCount={list.allLineCount}
          all={{ href: '/lines', label: 'Show all lines' }}
          title="No lines yet"
          promise="Connect a customer account of the travel platform, and every line of its invoices arrives here."
          hasAccount={syncTimes.length > 0}
          canConnect={isAllowed(session.role, 'connect-accounts')}
        />
      )}
    </>
  )
})
