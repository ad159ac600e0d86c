import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { RejectedList, RejectedTotals } from '#components/rejected/rejected-list.tsx'
import { ReparsePanel } from '#components/rejected/reparse-panel.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { plural } from '#components/text/plural.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { listRejectedLines } from '#lib/ledger/read/list-rejected-lines.ts'
import { listReparses } from '#lib/sync/reading/reparse-wishes.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Not imported' }

export default deskPage({ path: '/rejected', may: 'read' }, async ({ session }) => {
  const [records, reparses] = await Promise.all([
    listRejectedLines(session.organizationId),
    listReparses(session.organizationId),
  ])
  const now = Date.now()
  return (
    <>
      <PageHeader
        title="Not imported"
        scope={
          records.length === 0
            ? 'Records that could not be imported are kept here as received'
            : `${plural(records.length, 'record')}, kept as received, in no total of lines`
        }
      />
      <ReparsePanel states={reparses} canRead={isAllowed(session.role, 'sync')} now={now} />
      {records.length === 0 ? (
        <EmptyState
          title="Every record was imported"
          action={
            <Link href="/lines" className={buttonClass()}>
              Lines
            </Link>
          }
        >
          A record that cannot be imported is never dropped: it appears here, with the reason and its original text.
        </EmptyState>
      ) : (
        <>
          <RejectedTotals records={records} />
          <RejectedList records={records} now={now} />
        </>
      )}
    </>
  )
})
