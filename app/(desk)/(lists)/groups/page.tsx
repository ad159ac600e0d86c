import type { Metadata } from 'next'
import { describeScope } from '#components/filters/filter-scope.ts'
import { ListFilters } from '#components/filters/list-filters.tsx'
import { DownloadLink } from '#components/frame/download-link.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { GroupFoot } from '#components/groups/group-foot.tsx'
import { GroupKeys } from '#components/groups/group-keys.tsx'
import { describeKeys } from '#components/groups/group-labels.ts'
import { GroupTable } from '#components/groups/group-table.client.tsx'
import { packGroups } from '#components/groups/packed-groups.ts'
import { toListAddress } from '#components/query/list-address.ts'
import { toListView } from '#components/query/list-view.ts'
import { EmptyList } from '#components/states/empty-list.tsx'
import { Freshness } from '#components/text/freshness.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { DEFAULT_GROUP_QUERY, parseGroupQuery, writeGroupQuery } from '#lib/ledger/query/group-query.ts'
import { listGroups } from '#lib/ledger/read/list-groups.ts'
import { listSyncTimes } from '#lib/ledger/read/list-sync-times.ts'
import { deskPage } from '../../desk-page.tsx'
import { DeskScope, toScopeChoices } from '../../desk-scope.tsx'
import { readFilterOptions } from '../../read-filter-options.ts'

export const metadata: Metadata = { title: 'Groups' }

export default deskPage({ path: '/groups', may: 'read' }, async ({ session, searchParams }) => {
  const query = parseGroupQuery(searchParams)
  const { organizationId } = session
  const [list, options, syncTimes] = await Promise.all([
    listGroups(organizationId, query),
    readFilterOptions(organizationId, query.trips),
    listSyncTimes(organizationId),
  ])
  return (
    <>
      <PageHeader
        title="Groups"
        scope={
          <>
            {describeKeys(query.by)} · {describeScope(query, options, 'lines')}
            <Freshness syncedAt={syncTimes} now={Date.now()} />
          </>
        }
        actions={list.groupCount > 0 && <DownloadLink target={{ list: 'groups', query }} />}
      />
      <DeskScope path="/groups" session={session} searchParams={searchParams} {...toScopeChoices(options)} />
      <ListFilters
        target={{ list: 'groups', query }}
        options={options}
        searchParams={searchParams}
        searchHint="Search text or an exact amount"
        before={<GroupKeys query={query} />}
      />
      {list.groupCount > 0 ? (
        <GroupTable
          key={writeGroupQuery({ ...query, page: 1 })}
          list={packGroups(list, query.by[0] ?? 'trip')}
          by={query.by}
          view={toListView('groups', query)}
          foot={<GroupFoot list={list} by={query.by} />}
        />
      ) : (
        <EmptyList
          noun="line"
          allCount={list.allLineCount}
          all={{
            href: toListAddress({ list: 'groups', query: { ...DEFAULT_GROUP_QUERY, by: query.by } }),
            label: 'Show all groups',
          }}
          title="Nothing to group yet"
          promise="Connect a customer account of the travel platform; its lines can then be grouped by trip, cost center, month and more."
          hasAccount={syncTimes.length > 0}
          canConnect={isAllowed(session.role, 'connect-accounts')}
        />
      )}
    </>
  )
})
