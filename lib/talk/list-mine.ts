/** What waits for a person. */
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { findThread } from './find-subject.ts'
import { listWaiting } from './list-waiting.ts'
import type { Mine, Subject } from './model.ts'

/** Of a comment, the characters that tell what it is about. */
const MOST_OF_TEXT = 200

/** What the person has, and the comments that name them and that they have not read. */
export function listMine(organizationId: OrganizationId, userId: UserId): Promise<Mine> {
  return withTenantSql(organizationId, async (sql) => {
    const { assignments, mentions } = await listWaiting(sql, organizationId, userId)
    const said = await sql<{ id: string; text: string }>(
      `select distinct on (message_id) message_id as id, left(text, ${MOST_OF_TEXT}) as text from message_version
       where organization_id = $1 and message_id = any($2::uuid[]) order by message_id, version desc`,
      [organizationId, mentions.map(({ messageId }) => messageId)],
    )
    const texts = new Map(said.map(({ id, text }) => [id, text]))
    return {
      assignments: assignments.map(withMoment),
      mentions: mentions.map((mention) => withMoment({ ...mention, text: texts.get(mention.messageId) ?? '' })),
    }
  })
}

function withMoment<Row extends { at: Date }>(row: Row): Omit<Row, 'at'> & { at: string } {
  return { ...row, at: row.at.toISOString() }
}

/** Notes that the person has read what names them about the subject. Others see nothing of it. */
export function markRead(organizationId: OrganizationId, userId: UserId, subject: Subject): Promise<void> {
  return withTenantSql(organizationId, async (sql) => {
    const threadId = await findThread(sql, organizationId, subject)
    if (threadId === null) return
    await sql(
      `update mention n set read_at = statement_timestamp() from message m
       where n.organization_id = $1 and n.person_id = $2 and n.read_at is null
         and m.organization_id = n.organization_id and m.id = n.message_id and m.thread_id = $3`,
      [organizationId, userId, threadId],
    )
  })
}
