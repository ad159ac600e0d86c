import type { Metadata } from 'next'
import { toNotice } from '#components/account/account-words.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { AlikeNames } from '#components/settings/alike-names.tsx'
import { DirectorySection } from '#components/settings/directory.tsx'
import { FourEyes } from '#components/settings/four-eyes.tsx'
import { OrganizationFormats } from '#components/settings/organization-formats.tsx'
import { OrganizationName } from '#components/settings/organization-name.tsx'
import { ReviewReasons } from '#components/settings/review-reasons.tsx'
import { SessionLimitsSection } from '#components/settings/session-limits.tsx'
import { SingleSignOn } from '#components/settings/single-sign-on.tsx'
import { IDLE_MINUTES, readSessionLimits, SESSION_DAYS } from '#lib/auth/account/session-limits.ts'
import { readMessage } from '#lib/auth/account/words.ts'
import { listDirectoryTokens } from '#lib/auth/directory-token.ts'
import { readConfirmation } from '#lib/auth/factors/read-factors.ts'
import { readSsoView } from '#lib/auth/sso/sso-settings.ts'
import { toDirectoryAddress } from '#lib/directory/answer.ts'
import { readDirectoryRoles } from '#lib/directory/role-mapping.ts'
import { settings } from '#lib/env.ts'
import { SSO_CALLBACK_PATH } from '#lib/http/cookies.ts'
import { readFourEyes } from '#lib/ledger/close/four-eyes.ts'
import { getReasonList } from '#lib/ledger/review/reason-list.ts'
import { listTimeZones } from '#lib/reconcile/own-formats/browser-formats.ts'
import { deskPage } from '../desk-page.tsx'
import { FactorRule } from './factor-rule.tsx'

export const metadata: Metadata = { title: 'Settings' }

export default deskPage({ path: '/settings', may: 'manage-organization' }, async ({ session, searchParams }) => {
  const { organizationId, organizationName } = session
  const { said, error } = searchParams
  const now = new Date()
  const message = readMessage(searchParams)
  const [limits, singleSignOn, tokens, roles, confirmation, reasonList, fourEyes] = await Promise.all([
    readSessionLimits(organizationId),
    readSsoView(organizationId),
    listDirectoryTokens(organizationId, now),
    readDirectoryRoles(organizationId),
    readConfirmation(session, now),
    getReasonList(organizationId),
    readFourEyes(organizationId),
  ])
  return (
    <>
      <PageHeader title="Settings" scope="What holds for the whole organization" />
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        <OrganizationName name={organizationName} isSaved={said === 'name'} />
        <OrganizationFormats stored={session.organizationFormats} timeZones={listTimeZones()} message={message} />
        <AlikeNames foldsNames={session.foldsNames} message={message} />
        <ReviewReasons {...reasonList} message={message} />
        <FourEyes fourEyes={fourEyes} message={message} />
        <SessionLimitsSection
          {...limits}
          choices={{ idleMinutes: IDLE_MINUTES, sessionDays: SESSION_DAYS }}
          message={message}
        />
        <FactorRule session={session} searchParams={searchParams} />
        <SingleSignOn
          view={singleSignOn}
          callbackUrl={settings().appUrl + SSO_CALLBACK_PATH}
          outcome={searchParams}
          {...confirmation}
        />
        <DirectorySection
          {...roles}
          {...confirmation}
          address={toDirectoryAddress()}
          tokens={tokens}
          said={said}
          error={error}
          notice={toNotice(searchParams, 'directory-')}
          now={now.getTime()}
        />
      </div>
    </>
  )
})
