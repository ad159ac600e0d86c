/** What waits for a person, without a word of what was said: so the worker may read it, too. */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Mine } from './model.ts'

/** The most of each that are listed. */
const MOST_LISTED = 200

const SUBJECT = `json_build_object('kind', t.kind, 'connectionId', t.connection_id, 'key', t.key) as subject,
  coalesce(nullif(l.description, ''), t.key) as label`
const WITH_LINE = `left join line l on t.kind = 'line' and l.organization_id = t.organization_id
  and l.connection_id = t.connection_id and l.id = t.key`

/** As `Mine`, with moments as the database has them. */
export type Waiting = {
  assignments: Moments<Mine['assignments'][number]>[]
  mentions: Moments<Omit<Mine['mentions'][number], 'text'>>[]
}
type Moments<Row> = Omit<Row, 'at'> & { at: Date }

/** What the person has, first due first, and the comments that name them unread, newest first. */
export async function listWaiting(sql: Sql, organizationId: OrganizationId, userId: UserId): Promise<Waiting> {
  const own = [organizationId, userId]
  const assignments = await sql<Waiting['assignments'][number]>(
    `select ${SUBJECT}, a.assigned_by_name as "byName", a.at, a.due_on::text as "dueOn"
     from assignment a join thread t on t.organization_id = a.organization_id and t.id = a.thread_id ${WITH_LINE}
     where a.organization_id = $1 and a.person_id = $2 and a.ended_at is null
     order by a.due_on nulls last, a.at, a.id limit ${MOST_LISTED}`,
    own,
  )
  const mentions = await sql<Waiting['mentions'][number]>(
    `select ${SUBJECT}, m.id as "messageId", m.author_name as "byName", m.at
     from mention n
       join message m on m.organization_id = n.organization_id and m.id = n.message_id
       join thread t on t.organization_id = m.organization_id and t.id = m.thread_id ${WITH_LINE}
     where n.organization_id = $1 and n.person_id = $2 and n.read_at is null
     order by m.at desc, m.id limit ${MOST_LISTED}`,
    own,
  )
  return { assignments, mentions }
}
