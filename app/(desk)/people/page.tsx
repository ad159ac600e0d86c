import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { toNotice as toAccountNotice } from '#components/account/account-words.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { ChangePerson } from '#components/people/change-person.tsx'
import { InvitationLink } from '#components/people/invitation-link.tsx'
import { InviteForm } from '#components/people/invite-form.tsx'
import { OpenInvitations } from '#components/people/open-invitations.tsx'
import { PeopleTable } from '#components/people/people-table.tsx'
import { toNotice } from '#components/people/people-words.ts'
import { RoleTable } from '#components/people/role-table.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { readConfirmation } from '#lib/auth/factors/read-factors.ts'
import { toInvitationAddress } from '#lib/auth/links/invitation-links.ts'
import { findInvitation, listInvitations } from '#lib/auth/people/invitations.ts'
import { listUsers } from '#lib/auth/people/users.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { settings } from '#lib/env.ts'
import { cookieNames } from '#lib/http/cookies.ts'
import { deskPage } from '../desk-page.tsx'
import { FactorsOfPeople } from './factors-of-people.tsx'

export const metadata: Metadata = { title: 'People' }

export default deskPage({ path: '/people', may: 'read' }, async ({ session, searchParams }) => {
  const now = new Date()
  const { organizationId, userId } = session
  const canManage = isAllowed(session.role, 'manage-people')
  const [people, invitations, made, confirmation] = await Promise.all([
    listUsers(organizationId, now),
    listInvitations(organizationId),
    canManage ? readNewLink(now) : null,
    canManage ? readConfirmation(session, now) : null,
  ])
  const notice = toNotice(searchParams.said, searchParams.error)
  const person = canManage ? people.find((each) => each.userId === searchParams.person) : undefined
  const hasMail = settings().mail !== null
  const invited = invitations.find(({ id }) => id === made?.id)
  return (
    <>
      <PageHeader title="People" scope="People with access, and what each role may do" />
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        {notice && <Banner tone={notice.tone}>{notice.text}</Banner>}
        {made && invited && <InvitationLink email={invited.email} link={made.link} />}
        {person && confirmation && (
          <ChangePerson
            person={person}
            isSelf={person.userId === userId}
            confirmation={confirmation}
            notice={toAccountNotice(searchParams, 'person-')}
          />
        )}
        <PeopleTable people={people} ownId={userId} canManage={canManage} now={now.getTime()} />
        {canManage && <InviteForm hasMail={hasMail} mayInviteAdmins={confirmation?.isFresh ?? false} />}
        <OpenInvitations invitations={invitations} canManage={canManage} hasMail={hasMail} now={now.getTime()} />
        {canManage && <FactorsOfPeople session={session} searchParams={searchParams} />}
        <SettingsSection
          id="roles"
          title="Roles"
          about="An auditor reads everything and decides nothing. An approver may do all that finance may."
        >
          <RoleTable />
        </SettingsSection>
      </div>
    </>
  )
})

/** The link that this browser has just made, while it still opens an invitation. */
async function readNewLink(now: Date): Promise<{ id: string; link: string } | null> {
  const key = (await cookies()).get(cookieNames().invitation)?.value
  if (key === undefined) return null
  const id = await findInvitation(key, now)
  return id === null ? null : { id, link: toInvitationAddress(key) }
}
