import type { Metadata } from 'next'
import { describeScope } from '#components/filters/filter-scope.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { LineActions } from '#components/lines/line-actions.tsx'
import { AwaitTotals, LateTable } from '#components/lines/totals/late-totals.client.tsx'
import { awaitTotals, ListScope, ListTotals } from '#components/lines/totals/list-totals.tsx'
import { toListView } from '#components/query/list-view.ts'
import { EmptyList } from '#components/states/empty-list.tsx'
import { packRows } from '#components/table/packed-rows.ts'
import { Freshness } from '#components/text/freshness.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { parseLineQuery, readAs, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { listLinesAhead } from '#lib/ledger/read/list-lines.ts'
import { deskPage } from '../../desk-page.tsx'
import { readFilterOptions } from '../../read-filter-options.ts'
import { readListFrame } from '../../read-list-frame.ts'
import { LinesBars } from './lines-bars.tsx'

export const metadata: Metadata = { title: 'Lines' }

export default deskPage({ path: '/lines', may: 'read' }, async ({ session, searchParams }) => {
  const query = readAs(session, parseLineQuery(searchParams))
  const [list, options, { syncTimes, views }] = await Promise.all([
    listLinesAhead(session.organizationId, query),
    readFilterOptions(session, query.trips),
    readListFrame(session, 'lines'),
  ])
  return (
    <AwaitTotals awaited={awaitTotals(query, list, options)}>
      <PageHeader
        hasRows={list.lineCount !== 0}
        title="Lines"
        scope={
          <>
            {describeScope(query, options, 'lines')} · <ListScope list={list} query={query} />
            <Freshness syncedAt={syncTimes} now={Date.now()} />
          </>
        }
        actions={list.lineCount !== 0 && <LineActions query={query} />}
      />
      <LinesBars
        session={session}
        query={query}
        searchParams={searchParams}
        options={options}
        views={views}
        hasLines={list.lineCount !== 0}
      />
      {list.lineCount !== 0 ? (
        <>
          <ListTotals list={list} query={query} />
          <LateTable
            rows={packRows(list.rows)}
            view={toListView('lines', query)}
            lineCount={list.lineCount}
            place={list.place}
            path="/lines"
            decidedOn={isAllowed(session.role, 'decide') ? writeLineQuery(query) : undefined}
          />
        </>
      ) : (
        <EmptyList
          noun="line"
          allCount={list.allLineCount}
          all={{ href: '/lines?period=all', label: 'Show all lines' }}
          title="No lines yet"
          promise="Connect a customer account of the travel platform, and every line of its invoices arrives here."
          hasAccount={syncTimes.length > 0}
          canConnect={isAllowed(session.role, 'connect-accounts')}
        />
      )}
    </AwaitTotals>
  )
})
