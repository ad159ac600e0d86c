import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import { type Assigned, assign, endAssignment } from '#lib/talk/assign.ts'
import { assignmentId, MAY_HAVE, noSuchSubject, ofSubject, personId, toSubject, toWriter } from '../talk-door.ts'

const due = z.string().transform((text, context) => {
  const day = parseDay(text)
  if (day === null) context.addIssue({ code: 'custom', message: 'no day' })
  return day
})
/** The assignment that was seen; null when nobody had it. Left out, it is given in any case. */
const seen = assignmentId.nullable().optional()

const body = z.discriminatedUnion('action', [
  z.object({ action: z.literal('assign'), ...ofSubject, person: personId, due: due.nullish(), seen }),
  z.object({ action: z.literal('unassign'), ...ofSubject, seen }),
  z.object({ action: z.literal('done'), ...ofSubject, seen }),
])

const REFUSALS: Record<Exclude<Assigned['kind'], 'assigned' | 'missing'>, string> = {
  stranger: 'This person is not here any more. Choose another one.',
  'not-allowed': 'This person’s role only lets them look. Choose somebody who may decide.',
  changed: 'Somebody else changed who has it meanwhile. Nothing was changed: look who has it now.',
}

/**
 * POST /api/talk/assign {action, kind, key, connection, …}: `assign` gives it to a `person`, with a
 * `due` day or without; `unassign` takes it back; `done` says that what there was to do is done.
 */
export const POST = writeRoute({ may: 'assign', body }, async (call) => {
  const { body: wish, session } = call
  const { organizationId } = session
  const subject = toSubject(wish)
  if (subject === null) return noSuchSubject()
  const writer = toWriter(call)
  const ended =
    wish.action === 'assign'
      ? await assign(
          organizationId,
          writer,
          subject,
          { personId: wish.person, dueOn: wish.due ?? null, roles: MAY_HAVE },
          wish.seen,
        )
      : await endAssignment(organizationId, writer, subject, wish.action === 'done' ? 'done' : 'taken-back', wish.seen)
  if (ended.kind === 'missing') return noSuchSubject()
  if (ended.kind !== 'assigned') return errorReply(409, `assign-${ended.kind}`, REFUSALS[ended.kind])
  return { done: true }
})
