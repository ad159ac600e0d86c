import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { DirectorySection } from '#components/settings/directory.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { listDirectoryTokens } from '#lib/auth/directory-token.ts'
import { toDirectoryAddress } from '#lib/directory/answer.ts'
import { readDirectoryRoles } from '#lib/directory/role-mapping.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Settings' }

export default deskPage({ path: '/settings', may: 'manage-organization' }, async ({ session, searchParams }) => {
  const { said, error } = searchParams
  const now = new Date()
  const [tokens, roles] = await Promise.all([
    listDirectoryTokens(session.organizationId, now),
    readDirectoryRoles(session.organizationId),
  ])
  return (
    <>
      <PageHeader title="Settings" scope="What holds for the whole organization" />
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        <SettingsSection id="organization" title="Organization" about="The name that everybody sees.">
          <p className="text-[13px]">
            <bdi>{session.organizationName}</bdi>
          </p>
        </SettingsSection>
        <DirectorySection
          {...roles}
          address={toDirectoryAddress()}
          tokens={tokens}
          said={said}
          error={error}
          now={now.getTime()}
        />
      </div>
    </>
  )
})
