import type { Metadata } from 'next'
import { AuditEntries } from '#components/audit/audit-entries.tsx'
import { AuditFilters } from '#components/audit/audit-filters.tsx'
import { ChainState } from '#components/audit/chain-state.tsx'
import { Download } from '#components/frame/frame-icons.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { readLastVerification } from '#lib/audit/verify-for-people.ts'
import { isAuditFiltered, parseAuditQuery, writeAuditQuery } from '#lib/ledger/query/audit-query.ts'
import { listAudit } from '#lib/ledger/read/list-audit.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Audit' }

export default deskPage({ path: '/audit', may: 'see-audit' }, async ({ session, searchParams }) => {
  const query = parseAuditQuery(searchParams)
  const [{ entries, hasOlder, ...choices }, verification] = await Promise.all([
    listAudit(session.organizationId, query),
    readLastVerification(session.organizationId),
  ])
  const newest = { ...query, below: null }
  const last = entries.at(-1)
  return (
    <>
      <PageHeader
        title="Audit"
        scope="Who did what and when; nobody can change it"
        actions={
          <a
            href={toAddress('/api/audit/export', writeAuditQuery(newest))}
            download
            className={buttonClass({ look: 'primary' })}
          >
            <Download size={16} />
            <span className="max-[420px]:sr-only">Download CSV</span>
          </a>
        }
      />
      <ChainState verification={verification} now={Date.now()} />
      <AuditFilters query={newest} {...choices} />
      {last === undefined ? (
        <EmptyState title={isAuditFiltered(query) ? 'No entry matches these filters' : 'Nothing has been done yet'}>
          Every change that somebody makes and every file that leaves is written here.
        </EmptyState>
      ) : (
        <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
          <AuditEntries entries={entries} />
          <nav aria-label="Pages" className="flex gap-4 px-5 pt-3 text-[13px] max-md:px-4">
            {query.below !== null && (
              <Link href={toAddress('/audit', writeAuditQuery(newest))} className="text-accent hover:underline">
                Newest
              </Link>
            )}
            {hasOlder && (
              <Link
                href={toAddress('/audit', writeAuditQuery({ ...query, below: last.number }))}
                className="text-accent hover:underline"
              >
                Older
              </Link>
            )}
          </nav>
        </div>
      )}
    </>
  )
})
