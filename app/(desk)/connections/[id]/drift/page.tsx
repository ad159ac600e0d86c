import type { Metadata } from 'next'
import { toAccountName } from '#components/connections/connection-state.ts'
import { BaselineTable } from '#components/drift/baseline-table.tsx'
import { DriftTable } from '#components/drift/drift-table.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { plural } from '#components/text/plural.ts'
import { INTERFACE_BASELINE } from '#lib/sync/drift/interface-drift-baseline.ts'
import { isRecordedBefore, listInterfaceDrift } from '#lib/sync/drift/interface-drift-store.ts'
import { connectionPage } from '../../../desk-page.tsx'

export const metadata: Metadata = { title: 'Interface' }

/** For admins: it changes nothing for finance, and admins can ask the platform. */
export default connectionPage(
  { path: '/connections/[id]/drift', may: 'see-evidence' },
  async ({ session, connection }) => {
    const drift = await listInterfaceDrift(session.organizationId, connection.id)
    const rows = drift.map((each) => ({ ...each, isRecordedBefore: isRecordedBefore(each) }))
    const news = rows.filter((row) => !row.isRecordedBefore).length
    return (
      <>
        <PageHeader
          parent={{ href: `/connections/${connection.id}`, name: <bdi>{toAccountName(connection)}</bdi> }}
          title="Interface"
          scope={
            rows.length === 0
              ? 'Every record has the shape that this version knows'
              : `${plural(rows.length, 'deviation')} from the known interface, ${news === 0 ? 'none of them new' : `${news} of them new`}; every record is kept as received`
          }
        />
        <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto border-t pb-6 max-md:flex-none max-md:overflow-visible">
          {rows.length > 0 && <DriftTable rows={rows} now={Date.now()} />}
          <BaselineTable baseline={INTERFACE_BASELINE} />
        </div>
      </>
    )
  },
)
