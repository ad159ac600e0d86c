import { ListFilters } from '#components/filters/list-filters.tsx'
import { keyLabel } from '#components/groups/group-labels.ts'
import { toGroupSubject } from '#components/talk/page-subjects.ts'
import type { AppSession } from '#lib/auth/model.ts'
import type { LineQuery } from '#lib/ledger/query/line-query.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import { ListBars } from '../../desk-scope.tsx'
import type { readFilterOptions } from '../../read-filter-options.ts'
import type { readListFrame } from '../../read-list-frame.ts'
import { TalkOfPage } from '../../talk-of-page.tsx'

type LinesBarsProps = {
  session: AppSession
  query: LineQuery
  searchParams: RawSearchParams
  options: Awaited<ReturnType<typeof readFilterOptions>>
  views: Awaited<ReturnType<typeof readListFrame>>['views']
  hasLines: boolean
}

/**
 * Scope, views and filters of the lines; and what people say, where they are those of one group.
 */
export function LinesBars({ session, query, searchParams, options, views, hasLines }: LinesBarsProps) {
  const target = { list: 'lines', query } as const
  const group = hasLines ? toGroupSubject(query) : null
  return (
    <>
      <ListBars target={target} session={session} searchParams={searchParams} views={views} options={options} />
      <ListFilters
        target={target}
        options={options}
        searchParams={searchParams}
        searchHint="Search text or an exact amount"
      />
      {group !== null && (
        <TalkOfPage
          session={session}
          subject={group.subject}
          about={
            <>
              on {keyLabel(group.key).toLowerCase()} <bdi>{group.value}</bdi>
            </>
          }
        />
      )}
    </>
  )
}
