import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { findThread } from './find-subject.ts'
import type { Subject, TalkHead } from './model.ts'

/** What of a thread stands in one line; for a page that shows the rest when it is asked for. */
export function getTalkHead(organizationId: OrganizationId, userId: UserId, subject: Subject): Promise<TalkHead> {
  return withTenantSql(organizationId, async (sql) => {
    const threadId = await findThread(sql, organizationId, subject)
    const [head] = await sql<TalkHead>(
      `select (select count(*)::int from message where organization_id = $1 and thread_id = $2) as "messageCount",
         (select count(*)::int from mention n
            join message m on m.organization_id = n.organization_id and m.id = n.message_id
          where n.organization_id = $1 and n.person_id = $3 and n.read_at is null and m.thread_id = $2) as "unreadCount",
         (select json_build_object('id', person_id, 'name', person_name) from assignment
          where organization_id = $1 and thread_id = $2 and ended_at is null) as holder`,
      [organizationId, threadId, userId],
    )
    return head ?? { messageCount: 0, unreadCount: 0, holder: null }
  })
}
