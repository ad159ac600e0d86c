import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { describeDays } from '#components/filters/filter-scope.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { toBridgeOfTrip } from '#components/history/moments/bridge-links.ts'
import { LineActions } from '#components/lines/line-actions.tsx'
import { LineTable } from '#components/lines/line-table.client.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { toTripAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { toListView } from '#components/query/list-view.ts'
import { packRows } from '#components/table/packed-rows.ts'
import { plural } from '#components/text/plural.ts'
import { TripSummary } from '#components/trips/trip-summary.tsx'
import { unescapePart } from '#lib/auth/doors/desk-page.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { DEFAULT_LINE_QUERY, parseLineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { getTrip } from '#lib/ledger/read/get-trip.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'
import { deskPage } from '../../desk-page.tsx'
import { TalkOfPage } from '../../talk-of-page.tsx'

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  return { title: `Trip ${unescapePart((await params).id)}` }
}

export default deskPage({ path: '/trips/[id]', may: 'read' }, async ({ session, params, searchParams }) => {
  // the address gives only order, looks and place; the page itself selects the lines
  const { sort, columns, density, page, beside, pageSize } = parseLineQuery(searchParams)
  const paging = { ...DEFAULT_LINE_QUERY, sort, columns, density, page, beside, pageSize }
  const query = { ...paging, trips: [params.id] }
  const trip = await getTrip(session.organizationId, params.id)
  if (trip === null) notFound()
  const list = await listLines(session.organizationId, query)
  const { name, id, lineCount, travelerCount, firstDay, lastDay } = trip
  return (
    <>
      <PageHeader
        hasRows
        parent={{ href: '/groups?by=trip', name: 'Trips' }}
        title={<bdi>{name ?? id}</bdi>}
        scope={
          <>
            Trip <bdi>{id}</bdi> · {plural(lineCount, 'line')} of {describeDays(firstDay, lastDay)} ·{' '}
            {plural(travelerCount, 'traveler')}
          </>
        }
        actions={
          <>
            <Link href={toBridgeOfTrip(id)} className={buttonClass()}>
              Bridge…
            </Link>
            <LineActions query={query} />
          </>
        }
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto max-md:overflow-visible">
        <TalkOfPage session={session} subject={{ kind: 'trip', connectionId: null, key: id }} />
        <TripSummary trip={trip} />
        <div className="flex min-h-[420px] flex-1 flex-col border-t">
          <LineTable
            rows={packRows(list.rows)}
            view={toListView('lines', query)}
            lineCount={list.lineCount}
            place={list.place}
            path={toTripAddress(id)}
            ownSearch={writeLineQuery(paging)}
            isOf="trip"
            decidedOn={isAllowed(session.role, 'decide') ? writeLineQuery(query) : undefined}
          />
        </div>
      </div>
    </>
  )
})
