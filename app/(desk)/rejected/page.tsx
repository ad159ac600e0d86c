import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { RejectedRecord } from '#components/rejected/rejected-record.client.tsx'
import { ReparsePanel } from '#components/rejected/reparse-panel.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { plural } from '#components/text/plural.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { listRejectedLines } from '#lib/ledger/read/list-rejected-lines.ts'
import { listReparses } from '#lib/sync/reading/reparse-wishes.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Rejected lines' }

export default deskPage({ path: '/rejected', may: 'read' }, async ({ session }) => {
  const [records, reparses] = await Promise.all([
    listRejectedLines(session.organizationId),
    listReparses(session.organizationId),
  ])
  const now = Date.now()
  return (
    <>
      <PageHeader
        parent={{ href: '/connections', name: 'Connections' }}
        title="Rejected lines"
        scope={
          records.length === 0
            ? 'Records that could not be imported are kept here as received'
            : `${plural(records.length, 'record')} could not be imported and ${records.length === 1 ? 'is' : 'are'} not in any total; original kept`
        }
      />
      <ReparsePanel states={reparses} canRead={isAllowed(session.role, 'sync')} now={now} />
      {records.length === 0 ? (
        <EmptyState
          title="Every record could be read"
          action={
            <Link href="/lines" className={buttonClass()}>
              Lines
            </Link>
          }
        >
          A record that cannot be read is never dropped: it appears here, with the reason and its raw text.
        </EmptyState>
      ) : (
        <ul className="list-body min-h-0 flex-1 overflow-y-auto border-t max-md:overflow-visible">
          {records.map((record) => (
            <li
              key={`${record.connectionId} ${record.list} ${record.rawHash}`}
              className="border-b px-5 py-3 max-md:px-4"
            >
              <RejectedRecord record={record} now={now} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
})
