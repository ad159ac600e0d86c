import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { OrganizationName } from '#components/settings/organization-name.tsx'
import { SessionLimitsSection } from '#components/settings/session-limits.tsx'
import { IDLE_MINUTES, readSessionLimits, SESSION_DAYS } from '#lib/auth/account/session-limits.ts'
import { readMessage } from '#lib/auth/account/words.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Settings' }

export default deskPage({ path: '/settings', may: 'manage-organization' }, async ({ session, searchParams }) => {
  const limits = await readSessionLimits(session.organizationId)
  return (
    <>
      <PageHeader title="Settings" scope="What holds for the whole organization" />
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        <OrganizationName name={session.organizationName} isSaved={searchParams.said === 'name'} />
        <SessionLimitsSection
          {...limits}
          choices={{ idleMinutes: IDLE_MINUTES, sessionDays: SESSION_DAYS }}
          message={readMessage(searchParams)}
        />
      </div>
    </>
  )
})
