import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { SingleSignOn } from '#components/settings/single-sign-on.tsx'
import { readSsoView } from '#lib/auth/sso/sso-settings.ts'
import { settings } from '#lib/env.ts'
import { SSO_CALLBACK_PATH } from '#lib/http/cookies.ts'
import { deskPage } from '../desk-page.tsx'

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
      <SingleSignOn
        view={await readSsoView(session.organizationId)}
        callbackUrl={settings().appUrl + SSO_CALLBACK_PATH}
        outcome={searchParams}
      />
    </div>
  </>
))
