import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

export type Account = { organizationId: OrganizationId; connectionId: ConnectionId }

/** The account after this one, of any organization, in the order of their ids; null for none. */
export async function findNextAccount(after: ConnectionId | null): Promise<Account | null> {
  const [account] = await withSystemSql((sql) =>
    sql<Account>(
      `select organization_id as "organizationId", id as "connectionId" from connection
       where $1::uuid is null or id > $1::uuid order by id limit 1`,
      [after],
    ),
  )
  return account ?? null
}
