import type { Metadata } from 'next'
import { CheckEffect } from '#components/checks/check-effect.tsx'
import { type AskedChange, CheckList } from '#components/checks/check-list.tsx'
import { FiscalYear } from '#components/checks/fiscal-year.tsx'
import { HabitList } from '#components/checks/habit-list.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { readValue } from '#lib/ledger/query/search-params.ts'
import { previewCheck } from '#lib/ledger/read/preview-check.ts'
import { isJudged } from '#lib/ledger/rules/judgings.ts'
import { listRules } from '#lib/ledger/rules/list-rules.ts'
import { CHECK_CODES, CHECK_LEVELS, hasTolerance } from '#lib/reconcile/checks/checks.ts'
import { parseTolerance } from '#lib/reconcile/checks/tolerance.ts'
import { deskPage } from '../desk-page.tsx'

/** As POST /api/checks takes. */
const MOST_WRITTEN = 1000

export const metadata: Metadata = { title: 'Checks' }

export default deskPage({ path: '/checks', may: 'read' }, async ({ session, searchParams }) => {
  const [{ checks, habits }, isDone] = await Promise.all([
    listRules(session.organizationId),
    isJudged(session.organizationId),
  ])
  const canTune = isAllowed(session.role, 'tune-checks')
  const asked = canTune ? await readAsked(session.organizationId, searchParams) : null
  return (
    <>
      <PageHeader
        title="Checks"
        scope={
          isAllowed(session.role, 'tune-checks')
            ? 'Choose what counts as a finding. Amounts never change'
            : 'What counts as a finding; an admin can change it'
        }
      />
      {!isDone && (
        <Banner tone="warn" className="border-t">
          Lines are being judged by the changed rules. Findings on other pages follow in a moment.
        </Banner>
      )}
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        <CheckList tuned={checks} canTune={canTune} asked={asked} />
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

/** The change that the address asks about, with what it would do; null when it names none. */
async function readAsked(
  organizationId: OrganizationId,
  searchParams: Record<string, string | string[] | undefined>,
): Promise<AskedChange | null> {
  const code = CHECK_CODES.find((each) => each === readValue(searchParams, 'code'))
  const level = CHECK_LEVELS.find((each) => each === readValue(searchParams, 'level'))
  if (code === undefined || level === undefined) return null
  const written = hasTolerance(code) ? (readValue(searchParams, 'tolerance') ?? '').slice(0, MOST_WRITTEN) : ''
  const tolerance = parseTolerance(written)
  const effect =
    tolerance === null ? null : <CheckEffect moves={await previewCheck(organizationId, code, { level, tolerance })} />
  return { code, level, tolerance: written, effect }
}
