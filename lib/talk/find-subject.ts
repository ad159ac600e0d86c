/** What is talked of has to be there: another organization's looks as if it were not. */
import type { Sql } from '#lib/db/tenant.ts'
import { type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import type { Subject } from './model.ts'

/** The subject that the words name; null when they name none, whatever there is. */
export function parseSubject(kind: Subject['kind'], key: string, connection: string | null): Subject | null {
  const ofAll = kind === 'trip' || kind === 'group'
  const connectionId = parseConnectionId(connection ?? '')
  if (key === '' || key.includes('\0') || ofAll === (connectionId !== null)) return null
  if (ofAll && connection !== null && connection !== '') return null
  if (kind === 'period' && !/^[1-9]\d{3}-(0[1-9]|1[0-2])(~.+)?$/s.test(key)) return null
  return { kind, connectionId, key }
}

const OF_ACCOUNT = 'organization_id = $1 and connection_id = $2'

/** Finds one row if the subject is there. `$2`: its connection, `$3`: its key. */
const THERE: Record<Subject['kind'], string> = {
  line: `select from line where ${OF_ACCOUNT} and id = $3`,
  invoice: `select from invoice where ${OF_ACCOUNT} and serial_number = $3`,
  trip: `select from (select) one where $2::uuid is null and has_lines_to_talk_of($1, 'trip', $3)`,
  group: `select from (select) one where $2::uuid is null and has_lines_to_talk_of($1, 'group', $3)`,
  period: `select from invoice where ${OF_ACCOUNT}
      and issuing_date >= to_date(left($3, 7) || '-01', 'YYYY-MM-DD')
      and issuing_date < to_date(left($3, 7) || '-01', 'YYYY-MM-DD') + interval '1 month'
      and (length($3) = 7 or profile_id = substr($3, 9)) limit 1`,
}
/** What stands for a subject of an account goes with the account: its rows. */
const HELD = ['line', 'invoice', 'period']

/** Whether the organization has what is talked of. */
export async function isThere(
  sql: Sql,
  organizationId: OrganizationId,
  { kind, connectionId, key }: Subject,
): Promise<boolean> {
  return (await sql(THERE[kind], [organizationId, connectionId, key])).length > 0
}

/**
 * The thread of a subject, which is made with the first word about it; null when the organization
 * has no such subject. An account's data is not deleted before this transaction ends: what deletes
 * it meets the thread.
 */
export async function holdThread(
  sql: Sql,
  organizationId: OrganizationId,
  { kind, connectionId, key }: Subject,
): Promise<string | null> {
  const hold = HELD.includes(kind) ? ' for key share' : ''
  const own = [organizationId, connectionId, key]
  if ((await sql(THERE[kind] + hold, own)).length === 0) return null
  const [made] = await sql<{ id: string }>(
    `insert into thread (organization_id, connection_id, key, kind) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [...own, kind],
  )
  return made?.id ?? findThread(sql, organizationId, { kind, connectionId, key })
}

/** The thread of a subject; null when nobody has said anything. */
export async function findThread(
  sql: Sql,
  organizationId: OrganizationId,
  { kind, connectionId, key }: Subject,
): Promise<string | null> {
  // an index for each: no comparison finds null in one
  const ofConnection = connectionId === null ? 'connection_id is null and $2::uuid is null' : 'connection_id = $2'
  const [found] = await sql<{ id: string }>(
    `select id from thread where organization_id = $1 and ${ofConnection} and key = $3 and kind = $4`,
    [organizationId, connectionId, key, kind],
  )
  return found?.id ?? null
}
