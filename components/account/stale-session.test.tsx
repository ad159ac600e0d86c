/** What the pages show in a session that has not just shown whose it is (decision 032). */
import { expect, test } from 'vitest'
import { ChangePerson } from '#components/people/change-person.tsx'
import { InviteForm } from '#components/people/invite-form.tsx'
import { renderPart } from '#components/query/test-support/test-render.ts'
import { DirectorySection } from '#components/settings/directory.tsx'
import { SingleSignOn } from '#components/settings/single-sign-on.tsx'
import type { KnownUser } from '#lib/auth/model.ts'
import type { UserId } from '#lib/ids.ts'
import { toNotice } from './account-words.ts'

const PERSON: KnownUser = {
  organizationId: 'o' as KnownUser['organizationId'],
  organizationName: 'Acme',
  userId: '00000000-0000-4000-8000-000000000001' as UserId,
  email: 'ada@example.com',
  name: 'Ada',
  role: 'viewer',
  isDisabled: false,
  isManaged: false,
  sessions: 0,
  lastSeenAt: null,
  seenOn: null,
}
const FILLED = {
  address: 'https://desk.example/scim',
  tokens: [],
  groups: [{ id: 'g', displayName: 'Finance', role: 'finance' as const, members: 1 }],
  defaultRole: null,
  people: 1,
  withoutAccess: 0,
  said: undefined,
  error: undefined,
  notice: null,
  now: 0,
}

type Confirmation = { isFresh: boolean; hasPassword: boolean }
const PARTS: [string, string, (confirmation: Confirmation) => string][] = [
  [
    'a role',
    'name="role"',
    (confirmation) =>
      renderPart(<ChangePerson person={PERSON} isSelf={false} confirmation={confirmation} notice={null} />),
  ],
  [
    'single sign-on',
    'action="/api/settings/single-sign-on',
    (confirmation) =>
      renderPart(<SingleSignOn view={{ provider: null, admins: [] }} callbackUrl="x" outcome={{}} {...confirmation} />),
  ],
  [
    'the directory',
    'action="/api/settings/directory',
    (confirmation) => renderPart(<DirectorySection {...FILLED} {...confirmation} />),
  ],
]
const CONFIRM = 'action="/api/account/second-step/confirm"'

test.each(PARTS)('the form for %s gives way to one for the password, until that was typed', (_, form, render) => {
  const [fresh, stale] = [true, false].map((isFresh) => render({ isFresh, hasPassword: true }))
  expect([fresh?.includes(form), fresh?.includes(CONFIRM)]).toEqual([true, false])
  expect([stale?.includes(form), stale?.includes(CONFIRM)]).toEqual([false, true])
  expect(render({ isFresh: false, hasPassword: false })).toContain('sign out and in again')
})

test('whoever may invite no admin now is told where to type the password', () => {
  expect(renderPart(<InviteForm hasMail={false} mayInviteAdmins={false} />)).toContain('href="#second-steps"')
  expect(renderPart(<InviteForm hasMail={false} mayInviteAdmins />)).not.toContain('#second-steps')
})

test('each place says what became of its password, and nothing of another’s', () => {
  const outcome = { error: 'sso_confirm' }
  expect(toNotice(outcome, 'sso_')).toMatchObject({ tone: 'bad', text: expect.stringContaining('password first') })
  expect([toNotice(outcome), toNotice(outcome, 'directory-'), toNotice({ said: 'sso_mode' }, 'sso_')]).toEqual([
    null,
    null,
    null,
  ])
})
