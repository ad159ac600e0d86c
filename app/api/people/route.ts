import * as z from 'zod'
import { refuseStale } from '#lib/auth/account-route.ts'
import { type WriteCall, writeRoute } from '#lib/auth/api-route.ts'
import { oneLine } from '#lib/auth/one-line.ts'
import {
  disableUser,
  enableUser,
  removeUser,
  renameUser,
  setRole,
  signOutUser,
  type UserChange,
} from '#lib/auth/people/users.ts'
import { ROLES } from '#lib/auth/permissions.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'

const user = z.uuid()
const body = z.discriminatedUnion('action', [
  z.object({ action: z.literal('name'), user, name: oneLine }),
  z.object({ action: z.literal('role'), user, role: z.enum(ROLES) }),
  z.object({ action: z.literal('deactivate'), user }),
  z.object({ action: z.literal('reactivate'), user }),
  z.object({ action: z.literal('sign-out'), user }),
  z.object({ action: z.literal('remove'), user }),
])
type Call = WriteCall<z.infer<typeof body>>

/**
 * POST /api/people {action, user, …}: changes a person of the organization. 404: it has no such
 * person; 409: its last admin who can sign in, what the directory decides, or a role in a session
 * that has not just shown whose it is. A form is sent back to the page.
 */
export const POST = writeRoute({ may: 'manage-people', body }, async (call: Call) => {
  const { action } = call.body
  const stale = action === 'role' ? await refuseStale(call, 'person', call.body.user) : null
  if (stale !== null) return stale
  const change = await changePerson(call)
  if (change.kind === 'missing') return errorReply(404, 'not-found', 'There is no such person.')
  if (change.kind === 'managed')
    return call.isForm
      ? redirectTo('/people?error=managed')
      : errorReply(409, 'managed', 'The directory decides that. Change it there.')
  if (change.kind === 'last-admin')
    return call.isForm
      ? redirectTo('/people?error=last-admin')
      : errorReply(409, 'last-admin', 'Make somebody else admin first.')
  return call.isForm ? redirectTo(`/people?said=${action}`) : { action, endedSessions: change.endedSessions }
})

function changePerson({ body, session: { organizationId }, actor, now }: Call): Promise<UserChange> {
  switch (body.action) {
    case 'name':
      return renameUser(organizationId, body.user, body.name, actor)
    case 'role':
      return setRole(organizationId, body.user, body.role, actor)
    case 'deactivate':
      return disableUser(organizationId, body.user, actor, now)
    case 'reactivate':
      return enableUser(organizationId, body.user, actor)
    case 'sign-out':
      return signOutUser(organizationId, body.user, actor, now)
    case 'remove':
      return removeUser(organizationId, body.user, actor, now)
  }
}
