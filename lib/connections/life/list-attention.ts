import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type Concern, type Concernable, listConcerns } from '../concerns.ts'
import { CONCERN_COLUMNS, type ConcernRow, toConcernFields } from './list-connections.ts'

/** A connection that needs attention, and why: worst first. */
export type ConnectionInNeed = {
  id: string
  name: string | null
  refreshExpiresAt: string | null
  concerns: Concern[]
}

type Row = ConcernRow & { id: string; name: string | null; run: Concernable['run'] }

/**
 * The organization's connections that need attention at `now` (milliseconds), oldest first. Every
 * page asks this, so it is one statement of index look-ups that reads only what concerns are
 * derived from. It reads the connections themselves, so it is current even while no worker runs.
 */
export async function listAttention(organizationId: OrganizationId, now: number): Promise<ConnectionInNeed[]> {
  const rows = await withTenantSql(organizationId, (sql) => sql.prepared<Row>('attention', READ, [organizationId]))
  return rows
    .map(({ id, name, run, ...row }) => {
      const connection = { ...toConcernFields(row), run }
      return { id, name, refreshExpiresAt: connection.refreshExpiresAt, concerns: listConcerns(connection, now) }
    })
    .filter(({ concerns }) => concerns.length > 0)
}

/** A run under way last progressed when it stored the newest page of a window it is reading. */
const PROGRESS_AT = `
  case when s.status = 'running' then (
    select greatest(max(w.completed_at), max(p.committed_at)) from sync_window w
    left join lateral (
      select p.committed_at from sync_page p
      where w.state = 'reading' and p.organization_id = $1 and p.run_id = w.run_id
        and p.window_number = w.number and p.list = w.list
      order by p.pass desc, p.page_offset desc limit 1) p on true
    where w.organization_id = $1 and w.run_id = s.id) end`

const READ = `
  select c.id, c.name, ${CONCERN_COLUMNS},
         (select json_build_object('status', s.status, 'requestedAt', s.requested_at, 'startedAt', s.started_at,
                                   'finishedAt', s.finished_at, 'leaseUntil', s.lease_until, 'errorText', s.error_text,
                                   'progressAt', ${PROGRESS_AT})
          from sync_run s where s.organization_id = $1 and s.connection_id = c.id
          order by s.requested_at desc limit 1) as run
  from connection c
  left join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id
  where c.organization_id = $1
  order by c.created_at, c.id`
