/**
 * What the lines of an account say beside each other: lines that stand on two invoices, refunds of
 * nothing and refunds of more than was paid (docs/decisions/024-line-comparisons.md).
 */
import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { Account } from '../../apply/next-account.ts'

/**
 * Compares the lines of an account if any has changed since it was last compared, and stores what
 * is different from before, in one transaction. Reads all its lines, a million in seconds. A change
 * that is not committed yet leaves the account due. Of two at once the second finds nothing to do.
 * @returns how many findings were written, changed or removed.
 */
export function compareLines({ organizationId, connectionId }: Account): Promise<number> {
  return withTenantSql(organizationId, async (sql) => {
    await sql(`select pg_advisory_xact_lock(hashtextextended('line comparison of ' || $1::uuid, 0))`, [connectionId])
    // counted before the lines are read: what is committed in between counts as not compared yet
    const [due] = await sql<{ changeCount: string }>(
      `select change_count as "changeCount" from line_comparison_state
       where organization_id = $1 and connection_id = $2 and change_count <> compared_count`,
      [organizationId, connectionId],
    )
    if (due === undefined) return 0
    const written = await storeFound(sql, organizationId, connectionId)
    await sql(
      `update line_comparison_state set compared_count = $3 where organization_id = $1 and connection_id = $2`,
      [organizationId, connectionId, due.changeCount],
    )
    return written
  })
}

/**
 * As `compareLines`, for the next account after this one that is due and has been read to its end,
 * of any organization; null for none. An account that a run is reading is left to the run: a refund
 * may arrive before its original.
 */
export async function compareLinesOfNext(
  after: ConnectionId | null,
): Promise<{ connectionId: ConnectionId; written: number } | null> {
  const [account] = await withSystemSql((sql) =>
    sql<Account>(
      `select s.organization_id as "organizationId", s.connection_id as "connectionId" from line_comparison_state s
       where s.change_count <> s.compared_count and ($1::uuid is null or s.connection_id > $1::uuid)
         and exists (select from sync_run r where r.organization_id = s.organization_id and r.connection_id = s.connection_id
                       and r.status in ('succeeded', 'held'))
         and not exists (select from sync_run r where r.organization_id = s.organization_id and r.connection_id = s.connection_id
                           and r.status in ('queued', 'running', 'paused'))
       order by s.connection_id limit 1`,
      [after],
    ),
  )
  if (account === undefined) return null
  return { connectionId: account.connectionId, written: await compareLines(account) }
}

/**
 * The lines that take part: on the platform, with their invoices. A credit document's line above
 * zero takes none: nobody knows whether it charges or refunds (assumption 3).
 */
const COMPARED = `line l where l.organization_id = $1::uuid and l.connection_id = $2::uuid and l.missing_since is null
  and not (l.total_amount > 0 and lower(left(l.invoice_mode, 7)) is not distinct from 'credit-')
  and l.invoice_serial_number not in (
    select serial_number from invoice where organization_id = $1::uuid and connection_id = $2::uuid and missing_since is not null)`

/** The first of several lines is the earliest by this order. */
const IN_ORDER = 'issuing_date nulls last, invoice_serial_number, id'
const IN_TURN = 'issuing_date desc nulls first, invoice_serial_number desc, id desc'

/**
 * One column in place of several, to pass over most of a million lines. Lines with the same values
 * have the same hash; others may, such as those of opposite amounts, so what is left is compared.
 */
const toHash = (columns: string) => `hash_record_extended(row(${columns}), 0)`
const ROUGHLY = toHash('l.currency, l.expense_date, l.total_amount, l.trip_id, l.service')
const SIZE = toHash('l.currency, l.trip_id, l.service, l.total_amount')

/**
 * Lines that stand on two invoices: the same in all these fields. Every one that is not on the
 * first line's invoice is one too many, but for those that lines of exactly the opposite total on
 * the same trip and service take back, the earliest first. A refund is expected to have one charge
 * of its size, so for refunds that are repeated only further charges count.
 */
const SAME = 'currency, expense_date, description, total_amount, quantity, unit_price, trip_id, service, traveler_names'
const DUPLICATES = `
  repeated as materialized (
    select ${ROUGHLY} as hash from ${COMPARED} and l.total_amount <> 0
    group by 1 having min(l.invoice_serial_number) <> max(l.invoice_serial_number)),
  candidate as materialized (
    select l.id, l.invoice_serial_number, l.issuing_date, ${SAME} from ${COMPARED} and l.total_amount <> 0
      and ${ROUGHLY} in (select hash from repeated)),
  placed as (
    select *, first_value(id) over same as first_id, first_value(invoice_serial_number) over same as first_invoice
    from candidate window same as (partition by ${SAME} order by ${IN_ORDER})),
  later as materialized (
    select *, ${SIZE} as size,
      row_number() over (partition by currency, trip_id, service, total_amount order by ${IN_ORDER}) as nth
    from placed l where invoice_serial_number <> first_invoice),
  taken_back as (
    select l.currency, l.trip_id, l.service, -l.total_amount as total_amount, count(*) as count from ${COMPARED}
      and ${SIZE} in (select size from later) group by 1, 2, 3, 4),
  duplicate as (
    select d.id as line_id, 'duplicate_line' as code, d.invoice_serial_number, d.first_id as other_line_id,
      d.first_invoice as other_invoice_serial_number, d.currency, abs(d.total_amount) as amount
    from later d left join taken_back t on t.total_amount = d.total_amount and t.currency = d.currency
      and t.trip_id is not distinct from d.trip_id and t.service is not distinct from d.service
    where d.nth > coalesce(case when d.total_amount > 0 then t.count else greatest(t.count - 1, 0) end, 0))`

/**
 * Refunds of more than was paid: all of a trip, a service and a currency come to less than nothing.
 * A refund that does not say its trip or its service cannot be compared.
 */
const REFUNDS = `
  refund as materialized (
    select l.id, l.invoice_serial_number, l.issuing_date, l.currency, l.total_amount, l.trip_id, l.service from ${COMPARED}
      and l.total_amount < 0 and l.trip_id is not null and l.service is not null),
  balance as materialized (
    select l.currency, l.trip_id, l.service, sum(l.total_amount) as net,
      (array_agg(array[l.id, l.invoice_serial_number] order by l.issuing_date nulls last, l.invoice_serial_number, l.id)
        filter (where l.total_amount > 0))[1:1] as original
    from ${COMPARED} and (l.currency, l.trip_id, l.service) in (select currency, trip_id, service from refund)
    group by 1, 2, 3 having sum(l.total_amount) < 0),
  of_nothing as (
    select r.id as line_id, 'refund_without_original' as code, r.invoice_serial_number, null as other_line_id,
      null as other_invoice_serial_number, r.currency, -r.total_amount as amount
    from refund r join balance b using (currency, trip_id, service) where b.original is null),
  too_much as (
    select distinct on (currency, trip_id, service) r.id as line_id, 'refund_above_original' as code, r.invoice_serial_number,
      b.original[1][1] as other_line_id, b.original[1][2] as other_invoice_serial_number, r.currency, -b.net as amount
    from refund r join balance b using (currency, trip_id, service) where b.original is not null
    order by currency, trip_id, service, ${IN_TURN})`

/** Nobody can guess how many lines are left of a million: a loop in a loop may take an hour. */
export const WITHOUT_LOOPS = 'set local enable_nestloop = off'

const COLUMNS = 'line_id, code, invoice_serial_number, other_line_id, other_invoice_serial_number, currency, amount'
const VALUES = 'invoice_serial_number, other_line_id, other_invoice_serial_number, currency, amount'

const FOUND = `${DUPLICATES}, ${REFUNDS},
  found as materialized (
    select * from duplicate union all select * from of_nothing union all select * from too_much)`

/**
 * What is kept of an account (`$1`, `$2`) beside what its lines say, for `compareFigures`, while no
 * line has changed since it was compared: a key and a value each.
 */
export const KEPT_COMPARISONS = `
  select c.line_id || ' ' || c.code as key, json_build_array(${toExcluded(VALUES, 'c')})::text as value
  from line_comparison c join line_comparison_state s using (organization_id, connection_id)
  where c.organization_id = $1::uuid and c.connection_id = $2::uuid and s.change_count = s.compared_count`
export const COMPUTED_COMPARISONS = `
  with ${FOUND}
  select f.line_id || ' ' || f.code as key, json_build_array(${toExcluded(VALUES, 'f')})::text as value
  from found f, line_comparison_state s
  where s.organization_id = $1::uuid and s.connection_id = $2::uuid and s.change_count = s.compared_count`

/** By difference: an account whose findings are the same as before writes nothing. */
const STORE = `
  with ${FOUND},
  removed as (
    delete from line_comparison c where c.organization_id = $1::uuid and c.connection_id = $2::uuid
      and (c.line_id, c.code) not in (select line_id, code from found) returning 1),
  stored as (
    insert into line_comparison as c (organization_id, connection_id, ${COLUMNS})
    select $1::uuid, $2::uuid, ${COLUMNS} from found
    on conflict (organization_id, connection_id, line_id, code) do update set (${VALUES}) = row(${toExcluded(VALUES)})
    where (${toExcluded(VALUES, 'c')}) is distinct from (${toExcluded(VALUES)})
    returning 1)
  select ((select count(*) from removed) + (select count(*) from stored))::int as count`

/**
 * Stores what is different from before, in the caller's transaction. @returns how much that was.
 */
export async function storeFound(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<number> {
  // enough to tell a few million lines apart without the disk
  await sql(`set local work_mem = '64MB'`)
  await sql(WITHOUT_LOOPS)
  const [row] = await sql<{ count: number }>(STORE, [organizationId, connectionId])
  return row?.count ?? 0
}

function toExcluded(columns: string, row = 'excluded'): string {
  return columns.replaceAll(/\w+/g, (column) => `${row}.${column}`)
}
