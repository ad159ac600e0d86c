import type { Metadata } from 'next'
import { OwnDigest } from '#components/account/own-digest.tsx'
import { OwnFormats } from '#components/account/own-formats.tsx'
import { OwnName } from '#components/account/own-name.tsx'
import { PasswordSection } from '#components/account/password-section.tsx'
import { SessionsSection } from '#components/account/sessions-section.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { listOwnSessions } from '#lib/auth/account/own-sessions.ts'
import { readMessage } from '#lib/auth/account/words.ts'
import { readBrowserFormats } from '#lib/auth/doors/page-session.ts'
import { readDigestChoice } from '#lib/digest/digest-settings.ts'
import { toMailFormats } from '#lib/digest/mail-formats.ts'
import { settings } from '#lib/env.ts'
import { listTimeZones } from '#lib/reconcile/own-formats/browser-formats.ts'
import { deskPage } from '../desk-page.tsx'
import { OwnFactors } from './own-factors.tsx'

export const metadata: Metadata = { title: 'Your account' }

export default deskPage({ path: '/account', may: 'own-account' }, async ({ session, searchParams }) => {
  const now = new Date()
  const message = readMessage(searchParams)
  const { organizationId, userId, ownFormats, organizationFormats } = session
  const [sessions, browser, digest] = await Promise.all([
    listOwnSessions(session, now),
    readBrowserFormats(),
    readDigestChoice(organizationId, userId, now),
  ])
  return (
    <>
      <PageHeader
        title="Your account"
        scope="Your name, how pages are written for you, how you sign in, and where you are signed in"
      />
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        <OwnName name={session.name} email={session.email} role={session.role} isSaved={searchParams.said === 'name'} />
        <OwnFormats
          own={session.ownFormats}
          organization={session.organizationFormats}
          browser={browser}
          timeZones={listTimeZones()}
          message={message}
        />
        <OwnDigest
          {...digest}
          timeZone={toMailFormats(ownFormats, organizationFormats).timeZone}
          hasMail={settings().mail !== null}
          email={session.email}
          message={message}
        />
        <PasswordSection email={session.email} message={message} />
        <OwnFactors session={session} searchParams={searchParams} />
        <SessionsSection sessions={sessions} message={message} now={now} />
      </div>
    </>
  )
})
