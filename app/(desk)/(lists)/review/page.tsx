import type { Metadata } from 'next'
import { describeScope } from '#components/filters/filter-scope.ts'
import { ListFilters } from '#components/filters/list-filters.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { LineTable } from '#components/lines/line-table.client.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { toListView } from '#components/query/list-view.ts'
import { AnswersSlot } from '#components/review/answers-slot.client.tsx'
import { NothingToReview } from '#components/review/nothing-to-review.tsx'
import { ReviewInvoices } from '#components/review/review-invoices.tsx'
import { ReviewProgress, ReviewTabs } from '#components/review/review-tabs.tsx'
import { packRows } from '#components/table/packed-rows.ts'
import { Freshness } from '#components/text/freshness.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { readAs, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { parseReviewQuery, toReviewedLines } from '#lib/ledger/query/review-query.ts'
import { deskPage } from '../../desk-page.tsx'
import { DeskScope, toScopeChoices } from '../../desk-scope.tsx'
import { readReview } from './read-review.ts'

export const metadata: Metadata = { title: 'Review' }

export default deskPage({ path: '/review', may: 'read' }, async ({ session, searchParams }) => {
  const query = readAs(session, parseReviewQuery(searchParams))
  const lines = readAs(session, toReviewedLines(query, session.userId))
  const explained = writeLineQuery({ ...lines, outcomes: ['explained'] })
  const mayDecide = isAllowed(session.role, 'decide')
  const { list, counts, beside, invoices, options, syncTimes } = await readReview(session, lines, query.tab)
  return (
    <>
      <PageHeader
        hasRows={list.lineCount > 0}
        title="Review"
        scope={
          <>
            {describeScope(lines, options, 'lines')}
            <Freshness syncedAt={syncTimes} now={Date.now()} />
          </>
        }
        actions={
          <Link href="/decisions" className={buttonClass()}>
            Decisions
          </Link>
        }
      />
      <DeskScope path="/review" session={session} searchParams={searchParams} {...toScopeChoices(options)} />
      <ReviewProgress counts={counts} />
      <ReviewTabs counts={counts} {...beside} query={query} explained={mayDecide ? explained : undefined} />
      <ReviewInvoices {...invoices} />
      <ListFilters
        target={{ list: 'review', query }}
        options={options}
        searchParams={searchParams}
        searchHint="Search text or an exact amount"
      />
      {query.tab === 'disputed' && list.lineCount > 0 && <AnswersSlot mayDecide={mayDecide} />}
      {list.lineCount === 0 && <NothingToReview tab={query.tab} counts={counts} />}
      {/* stays with what was done last, and the step back, when its last line is decided */}
      <div className={list.lineCount === 0 ? 'list-empty' : 'contents'}>
        <LineTable
          rows={packRows(list.rows)}
          view={{ ...toListView('review', query), columns: lines.columns }}
          lineCount={list.lineCount}
          place={list.place}
          path="/review"
          rowsPath="/api/review/rows"
          decidedOn={mayDecide ? writeLineQuery(lines) : undefined}
        />
      </div>
    </>
  )
})
