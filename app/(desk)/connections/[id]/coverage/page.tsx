import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { toAccountName } from '#components/connections/connection-state.ts'
import { CoverageCalendars } from '#components/coverage/coverage-calendar.client.tsx'
import { CoverageFigures } from '#components/coverage/coverage-figures.tsx'
import { CoverageGaps } from '#components/coverage/coverage-gaps.client.tsx'
import { CoverageLegend } from '#components/coverage/coverage-legend.tsx'
import { packCalendar } from '#components/coverage/pack-calendar.ts'
import { packGaps } from '#components/coverage/pack-gaps.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { Freshness } from '#components/text/freshness.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { getCoverage } from '#lib/ledger/read/coverage.ts'
import { connectionPage } from '../../../desk-page.tsx'
import { CoverageScope } from './coverage-scope.tsx'

export const metadata: Metadata = { title: 'Coverage' }

export default connectionPage({ path: '/connections/[id]/coverage', may: 'read' }, async (visit) => {
  const { session, connection } = visit
  const { id } = connection
  const coverage = await getCoverage(session.organizationId, id, new Date())
  if (coverage === null) notFound()
  const now = Date.now()
  const gaps = packGaps(coverage)
  const states = [...new Set(coverage.profiles.flatMap(({ cells }) => cells.map(({ state }) => state)))]
  const verdicts = [...new Set(coverage.profiles.flatMap(({ cells }) => cells.map(({ verdict }) => verdict)))]
  return (
    <>
      <PageHeader
        parent={{ href: `/connections/${id}`, name: <bdi>{toAccountName(connection)}</bdi> }}
        title={
          <>
            Coverage of <bdi>{toAccountName(connection)}</bdi>
          </>
        }
        scope={
          <>
            By day of issue; the cells count lines
            <Freshness syncedAt={[connection.lastGoodSyncAt]} now={now} />
          </>
        }
        actions={
          isAllowed(session.role, 'see-evidence') && (
            <Link href={`/connections/${id}/drift`} className={buttonClass()}>
              Interface
            </Link>
          )
        }
      />
      <CoverageScope {...visit} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto max-md:flex-none max-md:overflow-visible">
        <CoverageFigures coverage={coverage} />
        <div className="grid grid-cols-[minmax(0,1fr)_320px] gap-x-8 gap-y-6 px-5 py-4 max-lg:grid-cols-1 max-md:px-4">
          <div className="flex min-w-0 flex-col gap-5">
            <CoverageLegend states={states} verdicts={verdicts} />
            <CoverageCalendars calendars={coverage.profiles.map((profile) => packCalendar(id, profile))} />
          </div>
          <section aria-labelledby="gaps">
            <h2 id="gaps" className="font-semibold text-[14px]">
              Gaps
            </h2>
            {gaps.gaps.length > 0 ? (
              <CoverageGaps packed={gaps} />
            ) : (
              <p className="mt-1.5 text-[13px] text-ink2">
                {coverage.profiles.length === 0
                  ? 'Nothing has been read yet.'
                  : 'None. Every invoice held equals its own figures.'}
              </p>
            )}
          </section>
        </div>
      </div>
    </>
  )
})
