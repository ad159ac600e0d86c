import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { findThread, isThere } from './find-subject.ts'
import { IS_HERE, listPeople, toInitials } from './list-people.ts'
import type { Assignment, Message, Quote, Subject, Thread } from './model.ts'

/** The most comments that are shown of a thread. */
const MOST_SHOWN = 200

type Reader = {
  userId: UserId
  /** Roles to which something can be given. */
  roles: readonly string[]
}

/**
 * What is said about the subject, who has it, and who can be named; null when the organization has
 * no such subject. Changes nothing: `markRead` says that it was read.
 */
export function listThread(
  organizationId: OrganizationId,
  { userId, roles }: Reader,
  subject: Subject,
): Promise<Thread | null> {
  return withTenantSql(organizationId, async (sql) => {
    const threadId = await findThread(sql, organizationId, subject)
    // what people have talked of is found as long as their words are kept
    if (threadId === null && !(await isThere(sql, organizationId, subject))) return null
    const people = await listPeople(sql, organizationId, roles)
    if (threadId === null) return { messages: [], earlierCount: 0, assignment: null, people, unreadCount: 0 }
    const own = [organizationId, threadId]
    const [counts] = await sql<{ all: number; unread: number }>(
      `select (select count(*)::int from message where organization_id = $1 and thread_id = $2) as all,
         (select count(*)::int from mention n
            join message m on m.organization_id = n.organization_id and m.id = n.message_id
          where n.organization_id = $1 and n.person_id = $3 and n.read_at is null and m.thread_id = $2) as unread`,
      [...own, userId],
    )
    const messages = await readMessages(sql, own)
    const assignment = await readAssignment(sql, own)
    const { all = 0, unread = 0 } = counts ?? {}
    return { messages, earlierCount: all - messages.length, assignment, people, unreadCount: unread }
  })
}

type Version = { text: string; at: string }
type StoredMessage = Pick<Message, 'id' | 'authorId' | 'authorName' | 'mentions' | 'files'> & {
  at: Date
  label: string | null
  amount: Quote['amount'] | null
  currency: string | null
  /** At least one, oldest first. */
  versions: Version[]
}

async function readMessages(sql: Sql, own: unknown[]): Promise<Message[]> {
  const stored = await sql<StoredMessage>(
    `select m.id, m.author_id as "authorId", m.author_name as "authorName", m.at,
       m.quote_label as label, m.quote_amount::text as amount, m.quote_currency as currency,
       (select json_agg(json_build_object('text', v.text, 'at', v.at) order by v.version) from message_version v
        where v.organization_id = m.organization_id and v.message_id = m.id) as versions,
       coalesce((select json_agg(json_build_object('id', n.person_id, 'name', n.person_name)) from mention n
                 where n.organization_id = m.organization_id and n.message_id = m.id), '[]') as mentions,
       coalesce((select json_agg(json_build_object('id', a.id, 'name', a.name, 'kind', a.kind, 'size', a.size,
                                                   'removedAt', a.removed_at) order by a.at, a.id) from attachment a
                 where a.organization_id = m.organization_id and a.message_id = m.id), '[]') as files
     from message m where m.organization_id = $1 and m.thread_id = $2
     order by m.at desc, m.id desc limit ${MOST_SHOWN}`,
    own,
  )
  return stored.reverse().map(toMessage)
}

function toMessage({ at, label, amount, currency, versions, files, ...message }: StoredMessage): Message {
  const former = versions.map((version) => ({ ...version, at: toMoment(version.at) }))
  const now = former.pop()
  return {
    ...message,
    initials: toInitials(message.authorName),
    at: at.toISOString(),
    text: now?.text ?? '',
    quote: label !== null && amount !== null && currency !== null ? { label, amount, currency } : null,
    version: versions.length,
    editedAt: former.length === 0 ? null : (now?.at ?? null),
    former,
    files: files.map((file) => ({ ...file, removedAt: file.removedAt === null ? null : toMoment(file.removedAt) })),
  }
}

/** Of JSON that the database wrote. */
function toMoment(at: string): string {
  return new Date(at).toISOString()
}

async function readAssignment(sql: Sql, own: unknown[]): Promise<Assignment | null> {
  const [open] = await sql<Omit<Assignment, 'at' | 'initials'> & { at: Date; dueOn: Day | null }>(
    `select a.id, a.person_id as "personId", a.person_name as "personName", a.assigned_by_name as "byName", a.at,
       a.due_on::text as "dueOn",
       exists (select from app_user where organization_id = a.organization_id and id = a.person_id and ${IS_HERE}) as "isHere"
     from assignment a where a.organization_id = $1 and a.thread_id = $2 and a.ended_at is null`,
    own,
  )
  return open === undefined ? null : { ...open, at: open.at.toISOString(), initials: toInitials(open.personName) }
}
