import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'

/** What a run has read completely: everything, or these days of issue and these invoices. */
export type CompleteScope =
  | { isAll: true }
  | { isAll: false; ranges: readonly { from: string | null; upto: string | null }[]; serialNumbers: readonly string[] }

/**
 * The reading that should have met every row of the scope. Does not judge rows first seen after
 * `startedAt`.
 */
export type CompleteReading = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  runId: RunId
  startedAt: Date
  scope: CompleteScope
}

export type MissingCount = {
  /** Rows not marked as missing before this reading is judged. */
  held: number
  missing: number
  /** Of the missing lines, per currency; amounts are exact. Empty for invoices. */
  totals: { currency: string; lineCount: number; totalAmount: string }[]
}

type List = 'lines' | 'invoices'
const KEY = { lines: 'id', invoices: 'serial_number' } as const
const TABLE = { lines: 'line', invoices: 'invoice' } as const
const TALLY = { lines: 'line_count', invoices: 'invoice_count' } as const

/**
 * Counts rows the platform had before and a complete reading did not meet. A record that came in an
 * unreadable form counts as met, as does one that a later run met. Changes nothing.
 */
export async function countMissing(sql: Sql, list: List, reading: CompleteReading): Promise<MissingCount> {
  if (!reading.scope.isAll && reading.scope.ranges.length === 0 && reading.scope.serialNumbers.length === 0)
    return { held: 0, missing: 0, totals: [] }
  const all = await countIfAllMet(sql, list, reading)
  if (all !== null) return { held: all, missing: 0, totals: [] }
  await gatherSeen(sql, list, reading)
  const { rows: unmet, values } = toUnmet(list, reading)
  const amount = list === 'lines' ? 's.total_amount' : 's.total'
  const rows = await sql<{ currency: string; count: number; total: string }>(
    `select s.currency, count(*)::int as count, sum(${amount})::text as total
     from ${unmet} group by s.currency order by s.currency`,
    values,
  )
  const [held] = await sql<{ count: number }>(
    `select count(*)::int as count from ${TABLE[list]}
     where organization_id = $1 and connection_id = $2 and missing_since is null`,
    [reading.organizationId, reading.connectionId],
  )
  return {
    held: held?.count ?? 0,
    missing: rows.reduce((sum, row) => sum + row.count, 0),
    totals: rows.map(({ currency, count, total }) => ({ currency, lineCount: count, totalAmount: total })),
  }
}

/**
 * The number of rows if this run has met every one of them, else null. Then none can be missing,
 * which spares checking them one by one.
 */
async function countIfAllMet(sql: Sql, list: List, reading: CompleteReading): Promise<number | null> {
  const { organizationId, connectionId, runId } = reading
  const [row] = await sql<{ count: number; isAllNew: boolean; mayBeAll: boolean }>(
    `select t.${TALLY[list]}::int as count, t.${TALLY[list]} = coalesce(sum(w.inserted), 0) as "isAllNew",
            coalesce(sum(w.rejected), 0) = 0 and t.${TALLY[list]} <= coalesce(sum(w.inserted + w.updated + w.unchanged), 0) as "mayBeAll"
     from connection_tally t
     left join sync_window w on w.organization_id = $1 and w.run_id = $3 and w.list = $4
     where t.organization_id = $1 and t.connection_id = $2 group by t.${TALLY[list]}`,
    [organizationId, connectionId, runId, list],
  )
  if (row?.isAllNew) return row.count
  if (!row?.mayBeAll) return null
  // enough to count a few million keys without the disk
  await sql(`set local work_mem = '64MB'`)
  // a record may count in two windows but has one key: as many keys as rows means all rows were met
  const [met] = await sql<{ keys: number }>(
    `select count(distinct key)::int as keys from sync_page p, unnest(p.key_hashes) as key
     where p.organization_id = $1 and p.run_id = $2 and p.list = $3`,
    [organizationId, runId, list],
  )
  return met?.keys === row.count ? row.count : null
}

/** Marks what `countMissing` counts, softly: the rows stay, with the moment. Returns how many. */
export async function markMissing(sql: Sql, list: List, reading: CompleteReading): Promise<number> {
  await gatherSeen(sql, list, reading)
  const { rows: unmet, values } = toUnmet(list, reading)
  const [marked] = await sql<{ count: number }>(
    `with marked as (
       update ${TABLE[list]} t set missing_since = now()
       from (select s.organization_id, s.connection_id, s.${KEY[list]} as key from ${unmet}) gone
       where t.organization_id = gone.organization_id and t.connection_id = gone.connection_id and t.${KEY[list]} = gone.key
       returning 1)
     select count(*)::int as count from marked`,
    values,
  )
  return marked?.count ?? 0
}

/**
 * Closes rejected records of the scope that a complete reading did not meet again: the partner has
 * corrected or withdrawn them.
 */
export async function closeUnmetRejections(sql: Sql, list: List | 'profiles', reading: CompleteReading): Promise<void> {
  const { organizationId, connectionId, startedAt, scope } = reading
  const values: unknown[] = [organizationId, connectionId, list, startedAt]
  if (!scope.isAll) values.push(toMultirange(scope.ranges), scope.serialNumbers)
  await sql(
    `update rejected_line set resolved_at = now()
     where organization_id = $1 and connection_id = $2 and list = $3 and resolved_at is null and last_seen_at < $4
       ${scope.isAll ? '' : REJECTED_SCOPE}`,
    values,
  )
}

const REJECTED_SCOPE = `and coalesce(invoice_serial_number, record_id) in (
  select serial_number from invoice i where i.organization_id = $1 and i.connection_id = $2 and i.issuing_date <@ $5::datemultirange
  union all select unnest($6::text[]))`

/**
 * Undoes what `markMissing` and `closeUnmetRejections` did at one moment, which is SQL with
 * `values` from `$3` on: rows that are still missing count again, rejected records are open again.
 */
export async function unmark(
  sql: Sql,
  { organizationId, connectionId }: Pick<CompleteReading, 'organizationId' | 'connectionId'>,
  moment: string,
  values: unknown[],
): Promise<void> {
  for (const [table, column] of [
    ['line', 'missing_since'],
    ['invoice', 'missing_since'],
    ['rejected_line', 'resolved_at'],
  ])
    await sql(
      `update ${table} set ${column} = null where organization_id = $1 and connection_id = $2 and ${column} = ${moment}`,
      [organizationId, connectionId, ...values],
    )
}

/**
 * Gathers the keys of a list that the run, or a run requested later, has met, in a temporary table:
 * between a loss and its decision a row may come back. An indexed table, not a subquery: with a
 * subquery the planner's guess about the number of keys would decide between a second and an hour.
 * Returns the table's name.
 */
export async function gatherSeen(
  sql: Sql,
  list: List,
  run: Pick<CompleteReading, 'organizationId' | 'connectionId' | 'runId'>,
): Promise<string> {
  const table = `seen_${list}`
  const [known] = await sql(`select where to_regclass('pg_temp.${table}') is not null`)
  if (known !== undefined) return table
  await sql(`create temp table ${table} (key bigint primary key) on commit drop`)
  await sql(
    `insert into pg_temp.${table}
     select key from sync_page p, unnest(p.key_hashes) as key
     where p.organization_id = $1 and p.list = $4 and p.run_id in (
       select later.id from sync_run later, sync_run run
       where run.organization_id = $1 and run.id = $3 and later.organization_id = $1 and later.connection_id = $2
         and (later.id = run.id or later.requested_at > run.requested_at))
     union select ${keyOf('r.record_id')} from rejected_line r
     where r.organization_id = $1 and r.connection_id = $2 and r.list = $4 and r.record_id is not null and r.resolved_at is null`,
    [run.organizationId, run.connectionId, run.runId, list],
  )
  await sql(`analyze ${table}`)
  return table
}

/** SQL for a record's key in the page ledger: the first 64 bits of the SHA-256 of its id. */
export function keyOf(id: string): string {
  return `('x' || left(encode(sha256(convert_to('id:' || ${id}, 'UTF8')), 'hex'), 16))::bit(64)::bigint`
}

/**
 * SQL after FROM for the rows `s` that a complete reading did not meet, after `gatherSeen`. A
 * join, where NOT EXISTS would read the same: a cluster takes a temporary table in the one, and not
 * in the other.
 */
export function toUnmet(list: List, reading: CompleteReading): { rows: string; values: unknown[] } {
  const { organizationId, connectionId, startedAt, scope } = reading
  const values: unknown[] = [organizationId, connectionId, startedAt]
  const rules = [
    's.organization_id = $1 and s.connection_id = $2 and s.missing_since is null and s.first_seen_at < $3',
    'seen.key is null',
  ]
  if (!scope.isAll) {
    values.push(toMultirange(scope.ranges), scope.serialNumbers)
    rules.push(SCOPE[list])
  }
  const seen = `left join seen_${list} seen on seen.key = ${keyOf(`s.${KEY[list]}`)}`
  return { rows: `${TABLE[list]} s ${seen} where ${rules.join(' and ')}`, values }
}

const SCOPE = {
  invoices: '(s.issuing_date <@ $4::datemultirange or s.serial_number = any($5::text[]))',
  // by way of the invoices, whose days are indexed
  lines: `s.invoice_serial_number in (
    select serial_number from invoice i where i.organization_id = $1 and i.connection_id = $2 and i.issuing_date <@ $4::datemultirange
    union all select unnest($5::text[]))`,
}

/** Ranges of days (null = open end) as a PostgreSQL datemultirange literal. */
export function toMultirange(ranges: readonly { from: string | null; upto: string | null }[]): string {
  return `{${ranges.map(({ from, upto }) => `[${from ?? ''},${upto ?? ''}]`).join(',')}}`
}
