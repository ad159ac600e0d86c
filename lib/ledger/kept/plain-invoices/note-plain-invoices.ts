/** Notes which invoices are plainly complete, and which are not: a page need not judge them. */
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type Account, findNextAccount } from '../../apply/next-account.ts'
import { tryHoldAccount } from '../tally/hold-account.ts'
import { judge, listUnjudged, PLAIN_COLUMNS, PLAIN_COLUMNS_OF_JUDGED, PLAIN_SUMS } from './plain-invoices.ts'

/** Invoices per transaction: half a second's work at most, for which a writer may have to wait. */
const BATCH_INVOICES = 5_000

/**
 * Judges the invoices of an account that have no judgment. Leaves them as they are while another
 * transaction changes what a judgment looks at. Resolves to how many it found plainly complete.
 */
export async function notePlainInvoices({ organizationId, connectionId }: Account): Promise<number> {
  let noted = 0
  let after: string | null = ''
  while (after !== null) {
    const batch = await withTenantSql(organizationId, (sql) =>
      noteBatch(sql, organizationId, connectionId, after ?? ''),
    )
    noted += batch.noted
    after = batch.last
  }
  await withTenantSql(organizationId, (sql) => foldSums(sql, organizationId, connectionId))
  return noted
}

/** As `notePlainInvoices`, for the account after this one, of any organization; null for none. */
export async function notePlainInvoicesOfNext(
  after: ConnectionId | null,
): Promise<{ connectionId: ConnectionId; noted: number } | null> {
  const account = await findNextAccount(after)
  if (account === null) return null
  return { connectionId: account.connectionId, noted: await notePlainInvoices(account) }
}

async function noteBatch(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  after: string,
): Promise<{ noted: number; last: string | null }> {
  // see forget_plain_invoices: the statement after the lock sees all that was changed before it
  if (!(await tryHoldAccount(sql, { organizationId, connectionId }))) return { noted: 0, last: null }
  const [batch] = await sql<{ noted: number; last: string | null }>(
    `with batch as materialized (
       ${listUnjudged('i.organization_id = $1::uuid and i.connection_id = $2::uuid and i.serial_number > $3')}
       order by serial_number limit ${BATCH_INVOICES}),
     ${judge('select * from batch')},
     noted as (
       insert into plain_invoice (organization_id, serial_number, ${PLAIN_COLUMNS})
       select i.organization_id, i.serial_number, ${PLAIN_COLUMNS_OF_JUDGED} from judged i where i.is_plain
       returning 1),
     doubted as (
       insert into doubtful_invoice (organization_id, connection_id, serial_number)
       select i.organization_id, i.connection_id, i.serial_number from judged i where not i.is_plain
       returning 1)
     select (select count(*)::int from noted) as noted, (select max(serial_number) from batch) as last`,
    [organizationId, connectionId, after],
  )
  return batch ?? { noted: 0, last: null }
}

/**
 * Makes one row of the sums of the same key. Each change of plain invoices adds rows and changes
 * none, so nobody who writes waits for another. What is added meanwhile stays beside it.
 */
async function foldSums(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> {
  await sql(
    `with split as (
       select from plain_invoice_sum where organization_id = $1 and connection_id = $2
       group by profile_id, month, currency, is_gone having count(*) > 1 limit 1),
     old as (
       delete from plain_invoice_sum where organization_id = $1 and connection_id = $2 and exists (select from split)
       returning ${PLAIN_SUMS})
     insert into plain_invoice_sum (organization_id, ${PLAIN_SUMS})
     select $1, connection_id, profile_id, month, currency, is_gone, sum(invoice_count), sum(line_count), sum(total)
     from old group by 2, 3, 4, 5, 6 having sum(invoice_count) > 0
     returning 1`,
    [organizationId, connectionId],
  )
}
