/** Who has what: one person at a time. Earlier ones stay, with how it ended for them. */
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { findThread, holdThread, isThere } from './find-subject.ts'
import { IS_HERE } from './list-people.ts'
import type { Subject } from './model.ts'
import { noteTalk, type Writer } from './note-talk.ts'

/** `roles`: those to whom something can be given. */
export type Wish = { personId: UserId; dueOn: Day | null; roles: readonly string[] }

/**
 * How it ended. `missing`: the organization has no such subject. `stranger`: the person is nobody
 * who can sign in here. `not-allowed`: they may not have it. `changed`: somebody else has it since
 * it was seen.
 */
export type Assigned = { kind: 'assigned' | 'missing' | 'stranger' | 'not-allowed' | 'changed' }

/** The assignment that was seen, null for none; undefined gives it whoever has it now. */
type Seen = string | null | undefined

/** Gives the subject to a person, who has it from now on instead of whoever had it. */
export function assign(
  organizationId: OrganizationId,
  writer: Writer,
  subject: Subject,
  { personId, dueOn, roles }: Wish,
  seen?: Seen,
): Promise<Assigned> {
  return withTenantSql(organizationId, async (sql) => {
    const [person] = await sql<{ name: string; email: string; role: string }>(
      `select name, email, role from app_user where organization_id = $1 and id = $2 and ${IS_HERE}`,
      [organizationId, personId],
    )
    if (person === undefined) return { kind: 'stranger' }
    if (!roles.includes(person.role)) return { kind: 'not-allowed' }
    const threadId = await holdThread(sql, organizationId, subject)
    if (threadId === null) return { kind: 'missing' }
    const before = await holdOpen(sql, organizationId, threadId)
    if (isOther(before, seen)) return { kind: 'changed' }
    if (before?.personId === personId && before.dueOn === dueOn) return { kind: 'assigned' }
    if (before !== undefined) await end(sql, organizationId, before.id, 'given-on')
    // of two who give it at once the second one finds the first one's
    const [made] = await sql(
      `insert into assignment (organization_id, thread_id, person_id, person_name, assigned_by, assigned_by_name, due_on)
       values ($1, $2, $3, $4, $5, $6, $7::date) on conflict do nothing returning 1 as made`,
      [organizationId, threadId, personId, person.name, writer.userId, writer.name, dueOn],
    )
    if (made === undefined) return { kind: 'changed' }
    await noteTalk(sql, organizationId, subject, {
      actor: writer.actor,
      action: 'review.assigned',
      ...(before !== undefined && { before: { person: before.personName, due: before.dueOn } }),
      after: { person: person.email, due: dueOn },
    })
    return { kind: 'assigned' }
  })
}

/** Ends that somebody has the subject: what there was to do is done, or nobody has it any more. */
export function endAssignment(
  organizationId: OrganizationId,
  writer: Writer,
  subject: Subject,
  ending: 'done' | 'taken-back',
  seen?: Seen,
): Promise<Assigned> {
  return withTenantSql(organizationId, async (sql) => {
    const threadId = await findThread(sql, organizationId, subject)
    if (threadId === null)
      return { kind: (await isThere(sql, organizationId, subject)) ? ('assigned' as const) : ('missing' as const) }
    const before = await holdOpen(sql, organizationId, threadId)
    if (isOther(before, seen)) return { kind: 'changed' }
    if (before === undefined) return { kind: 'assigned' }
    await end(sql, organizationId, before.id, ending)
    await noteTalk(sql, organizationId, subject, {
      actor: writer.actor,
      action: 'review.unassigned',
      before: { person: before.personName, due: before.dueOn },
      after: { ending },
    })
    return { kind: 'assigned' }
  })
}

type Open = { id: string; personId: UserId; personName: string; dueOn: Day | null }

function isOther(before: Open | undefined, seen: Seen): boolean {
  return seen !== undefined && (before?.id ?? null) !== seen
}

/** Who has it, which nobody changes before this transaction ends. */
async function holdOpen(sql: Sql, organizationId: OrganizationId, threadId: string): Promise<Open | undefined> {
  const [open] = await sql<Open>(
    `select id, person_id as "personId", person_name as "personName", due_on::text as "dueOn" from assignment
     where organization_id = $1 and thread_id = $2 and ended_at is null for update`,
    [organizationId, threadId],
  )
  return open
}

async function end(sql: Sql, organizationId: OrganizationId, id: string, ending: string): Promise<void> {
  await sql(
    'update assignment set ended_at = statement_timestamp(), ending = $3 where organization_id = $1 and id = $2',
    [organizationId, id, ending],
  )
}
