import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { DecisionList } from '#components/review/decision-list.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { listDecisions } from '#lib/ledger/review/list-decisions.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Decisions' }

export default deskPage({ path: '/decisions', may: 'read' }, async ({ session, searchParams }) => {
  const { before } = searchParams
  const from = typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before) ? before : null
  const decisions = await listDecisions(session.organizationId, from)
  return (
    <>
      <PageHeader
        parent={{ href: '/review', name: 'Review' }}
        title="Decisions"
        scope="What was decided about lines and invoices, by whom, and how many still stand by it"
      />
      <DecisionList decisions={decisions} mayDecide={isAllowed(session.role, 'decide')} isFirst={from === null} />
    </>
  )
})
