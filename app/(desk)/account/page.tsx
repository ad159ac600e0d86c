import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { ROLE_LABELS } from '#lib/auth/permissions.ts'
import { deskPage } from '../desk-page.tsx'
import { OwnFactors } from './own-factors.tsx'

export const metadata: Metadata = { title: 'Your account' }

export default deskPage({ path: '/account', may: 'own-account' }, async ({ session, searchParams }) => (
  <>
    <PageHeader title="Your account" scope="Your name, how you sign in, and where you are signed in" />
    <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
      <SettingsSection id="you" title="You" about="What colleagues see of you.">
        <p className="text-[13px]">
          <bdi>{session.name}</bdi> · <bdi>{session.email}</bdi> · {ROLE_LABELS[session.role]}
        </p>
      </SettingsSection>
      <OwnFactors session={session} searchParams={searchParams} />
    </div>
  </>
))
