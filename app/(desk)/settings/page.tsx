import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { deskPage } from '../desk-page.tsx'
import { FactorRule } from './factor-rule.tsx'

export const metadata: Metadata = { title: 'Settings' }

export default deskPage({ path: '/settings', may: 'manage-organization' }, async ({ session, searchParams }) => (
  <>
    <PageHeader title="Settings" scope="What holds for the whole organization" />
    <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
      <SettingsSection id="organization" title="Organization" about="The name that everybody sees.">
        <p className="text-[13px]">
          <bdi>{session.organizationName}</bdi>
        </p>
      </SettingsSection>
      <FactorRule session={session} searchParams={searchParams} />
    </div>
  </>
))
