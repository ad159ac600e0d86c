import type { Metadata } from 'next'
import { CheckList } from '#components/checks/check-list.tsx'
import { FiscalYear } from '#components/checks/fiscal-year.tsx'
import { HabitList } from '#components/checks/habit-list.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { isJudged } from '#lib/ledger/rules/judgings.ts'
import { listRules } from '#lib/ledger/rules/list-rules.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Checks' }

export default deskPage({ path: '/checks', may: 'read' }, async ({ session, searchParams }) => {
  const [{ checks, habits }, isDone] = await Promise.all([
    listRules(session.organizationId),
    isJudged(session.organizationId),
  ])
  const { unclear } = searchParams
  return (
    <>
      <PageHeader
        title="Checks"
        scope={
          isAllowed(session.role, 'tune-checks')
            ? 'What becomes of a check that fails; the figures themselves never change'
            : 'What becomes of a check that fails; an admin can change it'
        }
      />
      {!isDone && (
        <Banner tone="warn" className="border-t">
          Lines are being judged by the changed rules. Findings on other pages follow in a moment.
        </Banner>
      )}
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        <CheckList
          tuned={checks}
          canTune={isAllowed(session.role, 'tune-checks')}
          unclear={typeof unclear === 'string' ? unclear : null}
        />
        <HabitList habits={habits} canDecide={isAllowed(session.role, 'decide-habits')} />
        <FiscalYear
          key={session.fiscalMonth}
          month={session.fiscalMonth}
          canTune={isAllowed(session.role, 'tune-checks')}
        />
      </div>
    </>
  )
})
