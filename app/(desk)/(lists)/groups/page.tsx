import type { Metadata } from 'next'
import { describeScope } from '#components/filters/filter-scope.ts'
import { ListFilters } from '#components/filters/list-filters.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { GroupKeys } from '#components/groups/group-keys.tsx'
import { describeContent, GroupsFile, GroupsOf } from '#components/groups/groups-content.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { EmptyList } from '#components/states/empty-list.tsx'
import { Freshness } from '#components/text/freshness.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { DEFAULT_GROUP_QUERY } from '#lib/ledger/query/group-query.ts'
import { deskPage } from '../../desk-page.tsx'
import { ListBars } from '../../desk-scope.tsx'
import { readFilterOptions } from '../../read-filter-options.ts'
import { readListFrame } from '../../read-list-frame.ts'
import { readGroupsContent, readGroupsQuery } from './read-groups.ts'

export const metadata: Metadata = { title: 'Groups' }

export default deskPage({ path: '/groups', may: 'read' }, async ({ session, searchParams }) => {
  const asked = readGroupsQuery(session, searchParams)
  const { query } = asked
  const target = { list: 'groups', query } as const
  const { organizationId } = session
  const [content, options, { syncTimes, views }] = await Promise.all([
    readGroupsContent(organizationId, asked),
    readFilterOptions(session, query.trips),
    readListFrame(session, 'groups'),
  ])
  return (
    <>
      <PageHeader
        hasRows={content.list.groupCount > 0}
        title="Groups"
        scope={
          <>
            {describeContent(content)} · {describeScope(query, options, 'lines')}
            <Freshness syncedAt={syncTimes} now={Date.now()} />
          </>
        }
        actions={content.list.groupCount > 0 && <GroupsFile {...content} />}
      />
      <ListBars target={target} session={session} searchParams={searchParams} views={views} options={options} />
      <ListFilters
        target={target}
        options={options}
        searchParams={searchParams}
        searchHint="Search text or an exact amount"
        before={<GroupKeys query={query} />}
      />
      {content.list.groupCount > 0 ? (
        <GroupsOf content={content} />
      ) : (
        <EmptyList
          noun="line"
          allCount={content.list.allLineCount}
          all={{
            href: toListAddress({
              list: 'groups',
              query: { ...DEFAULT_GROUP_QUERY, by: query.by, across: query.across },
            }),
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
