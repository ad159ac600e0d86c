import * as z from 'zod'
import { refuseStale } from '#lib/auth/doors/account-route.ts'
import { type WriteCall, writeRoute } from '#lib/auth/doors/api-route.ts'
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
import { done, refused } from '#lib/http/outcome.ts'
import { errorReply } from '#lib/http/replies.ts'

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
 * that has not just shown whose it is.
 */
export const POST = writeRoute({ may: 'manage-people', body }, async (call: Call) => {
  const { action } = call.body
  const stale = action === 'role' ? await refuseStale(call, 'person', call.body.user) : null
  if (stale !== null) return stale
  const change = await changePerson(call)
  if (change.kind === 'missing') return errorReply(404, 'not-found', 'There is no such person.')
  if (change.kind === 'managed') return refused('everybody', 'managed', 'The directory decides that. Change it there.')
  if (change.kind === 'last-admin') return refused('everybody', 'last-admin', 'Make somebody else admin first.')
  return done('everybody', { action, endedSessions: change.endedSessions }, { said: action })
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
