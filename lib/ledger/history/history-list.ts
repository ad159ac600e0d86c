import { type Sql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type Day, dayOf } from '#lib/reconcile/day.ts'
import { isZeroDecimal } from '#lib/reconcile/money.ts'
import type { ChangeList, ChangeSummary, InvoiceChanges, LineChange, RecordChange } from '../model.ts'
import {
  CHANGE_GROUPS_PER_PAGE,
  type ChangeQuery,
  DEFAULT_CHANGE_DAYS,
  DEFAULT_CHANGE_QUERY,
} from '../query/history-query.ts'
import { PAYLOAD_OF_LINE } from '../sql/payload-of-line.ts'
import { selectTogether } from '../sql/select-together.ts'
import {
  createSqlParameters,
  joinConditions,
  type SqlParameters,
  toConnectionCondition,
} from '../sql/sql-parameters.ts'
import { type BridgePart, toBridgeQuery, toBridges, toMoves } from './bridge-query.ts'
import { changeColumns, RUN_OF_CHANGE, type StoredChange, toRecordChange } from './history.ts'

/** How many changed lines of an invoice are compared; the rest are counted. */
const LINES_PER_GROUP = 20
/** A change of a line whose expense is older than this is late: the default look-back window. */
const LATE_AFTER_DAYS = 35

/** What every line repeats from its invoice (contract, "Extended invoice line details"). */
const INHERITED_FIELDS = new Set(
  'profile_id profile_name invoice_mode invoice_status issuing_date due_date currency'.split(' '),
)

type Group = Omit<InvoiceChanges, 'invoice' | 'lines'> & { key: string }

/**
 * What the platform changed since a day, by run and invoice, latest first, with the bridge of each
 * currency. Groups, bridges and counts are read at one moment. The changes in the groups may be
 * read later: a change is never undone.
 */
export async function listChanges(organizationId: OrganizationId, query: ChangeQuery, now: Date): Promise<ChangeList> {
  const since = query.since ?? dayOf(now.getTime() - DEFAULT_CHANGE_DAYS * 86_400_000)
  return withTenantSql(organizationId, async (sql) => {
    const { groups, counts, arrived, parts } = await readGroups(sql, organizationId, since, query)
    const invoices = await readInvoiceChanges(sql, organizationId, groups)
    const lines = await readLineChanges(sql, organizationId, groups, query.moneyOnly)
    const groupCount = counts[0]?.count ?? 0
    return {
      groups: groups.map(({ key, ...group }) => ({
        ...group,
        invoice: invoices.get(key) ?? [],
        lines: lines.get(key) ?? [],
      })),
      groupCount,
      since,
      bridges: toBridges(parts),
      arrivedInvoices: arrived[0]?.count ?? 0,
      page: query.page,
      pageCount: Math.max(1, Math.ceil(groupCount / CHANGE_GROUPS_PER_PAGE)),
    }
  })
}

/**
 * What changed, arrived and was removed from the day `since` on, without the changes themselves; as
 * of the moment of `within`, if it is given.
 */
export async function summarizeChanges(
  organizationId: OrganizationId,
  since: Day,
  connections: string[] = [],
  within?: Sql,
): Promise<ChangeSummary> {
  const query = { ...DEFAULT_CHANGE_QUERY, connections }
  const read = async (sql: Sql) => {
    const { figures, changed, parameters } = await beginOverview(sql, organizationId, since, query)
    return selectTogether<Figures>(sql, figures, parameters.values, changed)
  }
  const { counts, arrived, parts } = await withTenantSnapshot(organizationId, read, { within })
  return {
    since,
    groupCount: counts[0]?.count ?? 0,
    bridges: toBridges(parts),
    arrivedInvoices: arrived[0]?.count ?? 0,
  }
}

/** Groups what one run saw of one invoice. A change without a run is grouped by its moment. */
const GROUP_KEY = `coalesce(v.run_id::text, v.valid_until::text) || ' ' || v.connection_id || ' ' || v.invoice_serial_number`

/** The moment that changes are grouped by, if any: a text for each would be most of the work. */
const MOMENT_OF_GROUP = 'case when run_id is null then valid_until end'

type Figures = { counts: { count: number }[]; arrived: { count: number }[]; parts: BridgePart[] }

/**
 * The common table of what changed since a day and its groups, and the queries of its figures.
 */
async function beginOverview(sql: Sql, organizationId: OrganizationId, since: Day, query: ChangeQuery) {
  const hasOlder = await hasConnectionsBefore(sql, organizationId, since)
  const parameters = createSqlParameters()
  const conditions = toConditions(organizationId, since, query, parameters)
  const moment = `($2::date::timestamp at time zone 'UTC')`
  const ofAccounts = toConnectionCondition('r.connection_id', query.connections, parameters)
  // joined separately: it then uses their keys even while the tables have no statistics
  const invoicesIn = (table: 'sync_page' | 'sync_arrival', day: string) => `
    select p.inserted from ${table} p join sync_run r on r.organization_id = p.organization_id and r.id = p.run_id
    where ${joinConditions(['p.organization_id = $1::uuid', "p.list = 'invoices'", `${day} >= $2::date`, ofAccounts])}`
  const changed = `
    with changed as materialized (
      select v.connection_id, v.invoice_serial_number, v.run_id, v.valid_from, v.valid_until, v.line_id, 'line' as kind,
             v.currency, v.next_currency, v.total_amount as amount, v.next_total_amount as next_amount,
             v.next_total_amount - v.total_amount as effect
      from line_version v where ${conditions('total_amount')}
      union all
      select v.connection_id, v.invoice_serial_number, v.run_id, v.valid_from, v.valid_until, null, 'invoice',
             v.currency, v.next_currency, v.total, v.next_total, v.next_total - v.total
      from invoice_version v where ${conditions('total')}
      union all
      select v.connection_id, v.invoice_serial_number, v.run_id, null, v.valid_until, v.id, 'removed',
             v.currency, v.currency, v.total_amount, 0, -v.total_amount
      from (${toRemoved('line', moment, toConnectionCondition('l.connection_id', query.connections, parameters))}) v
      union all
      select v.connection_id, v.invoice_serial_number, v.run_id, null, v.valid_until, null, 'removed invoice',
             v.currency, v.currency, v.total_amount, 0, 0
      from (${toRemoved('invoice', moment, toConnectionCondition('l.connection_id', query.connections, parameters))}) v),
    grouped as (
      select ${GROUP_KEY} as key, v.*
      from (select connection_id, invoice_serial_number, run_id, ${MOMENT_OF_GROUP} as valid_until, max(valid_until) as seen_at,
                   count(distinct line_id) filter (where kind = 'line')::int as line_count,
                   count(*) filter (where kind = 'removed')::int as removed_count,
                   bool_or(kind = 'removed invoice') as is_removed
            from changed group by 1, 2, 3, 4) v),
    ${toMoves(moment)}`
  const figures = {
    counts: 'select count(*)::int as count from grouped',
    arrived: `select coalesce(sum(inserted), 0)::int as count
              from (${invoicesIn('sync_page', 'p.committed_at')} union all ${invoicesIn('sync_arrival', 'p.day')}) p`,
    parts: toBridgeQuery(organizationId, moment, query.connections, hasOlder, parameters),
  }
  return { figures, changed, parameters }
}

async function readGroups(sql: Sql, organizationId: OrganizationId, since: Day, query: ChangeQuery) {
  const { figures, changed, parameters } = await beginOverview(sql, organizationId, since, query)
  const limit = parameters.add(CHANGE_GROUPS_PER_PAGE)
  const offset = parameters.add((query.page - 1) * CHANGE_GROUPS_PER_PAGE)
  const toUtc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const groups = `
    select g.key, g.connection_id as "connectionId", c.name as "connectionName",
      g.invoice_serial_number as "serialNumber", i.profile_name as "profileName", g.run_id as "runId", r.trigger,
      u.name as "startedBy", ${toUtc('g.seen_at')} as "seenAt", g.line_count as "lineCount",
      g.removed_count as "removedCount", removed.lines as removed,
      case when g.is_removed then json_build_object('currency', i.currency, 'total', i.total::text,
        'missingSince', ${toUtc('i.missing_since')}) end as "removedInvoice"
    from (select * from grouped order by seen_at desc, key limit ${limit} offset ${offset}) g
    join connection c on c.organization_id = $1::uuid and c.id = g.connection_id
    left join invoice i on i.organization_id = $1::uuid and i.connection_id = g.connection_id
                       and i.serial_number = g.invoice_serial_number
    left join sync_run r on r.organization_id = $1::uuid and r.id = g.run_id
    left join app_user u on u.organization_id = $1::uuid and u.id = r.requested_by
    cross join lateral (
      select coalesce(json_agg(row_to_json(line)), '[]') as lines from (
        select l.id, l.description, l.expense_date::text as "expenseDate", l.currency,
          l.total_amount::text as "totalAmount", ${toUtc('l.missing_since')} as "missingSince"
        from changed x
        join line l on l.organization_id = $1::uuid and l.connection_id = x.connection_id and l.id = x.line_id
        where g.removed_count > 0 and x.kind = 'removed' and x.connection_id = g.connection_id
          and x.invoice_serial_number = g.invoice_serial_number and x.run_id is not distinct from g.run_id
          and (x.run_id is not null or x.valid_until = g.valid_until)
        order by abs(l.total_amount) desc, l.id limit ${LINES_PER_GROUP}) line) removed
    order by g.seen_at desc, g.key`
  return selectTogether<Figures & { groups: Group[] }>(sql, { groups, ...figures }, parameters.values, changed)
}

/** A plan that may read all lines is not even made while all accounts are new. */
async function hasConnectionsBefore(sql: Sql, organizationId: OrganizationId, since: Day): Promise<boolean> {
  const found = await sql(
    `select from connection where organization_id = $1 and created_at < ($2::date::timestamp at time zone 'UTC') limit 1`,
    [organizationId, since],
  )
  return found.length > 0
}

const REMOVED_COLUMNS = {
  line: 'l.id, l.invoice_serial_number, l.total_amount',
  invoice: 'null::text as id, l.serial_number as invoice_serial_number, l.total as total_amount',
}

/**
 * Lines or invoices removed since a moment, shaped as versions. Which run noticed it is not stored:
 * it is the one of the account that was under way, as there is never more than one.
 */
function toRemoved(table: keyof typeof REMOVED_COLUMNS, since: string, connection: string | null): string {
  return `
    select ${REMOVED_COLUMNS[table]}, l.connection_id, l.currency, l.missing_since as valid_until, r.id as run_id
    from ${table} l
    left join (
      select moment.connection_id, moment.missing_since, run.id
      from (select distinct l.connection_id, l.missing_since from ${table} l
            where l.organization_id = $1::uuid and l.missing_since >= ${since}) moment
      cross join lateral (
        select s.id from sync_run s
        where s.organization_id = $1::uuid and s.connection_id = moment.connection_id and s.started_at <= moment.missing_since
          and (s.finished_at is null or s.finished_at >= moment.missing_since)
        order by s.requested_at desc limit 1) run) r on r.connection_id = l.connection_id and r.missing_since = l.missing_since
    where ${joinConditions(['l.organization_id = $1::uuid', `l.missing_since >= ${since}`, connection])}`
}

/** The where-clause of versions `v`. A day begins at midnight UTC. */
function toConditions(organizationId: OrganizationId, since: Day, query: ChangeQuery, parameters: SqlParameters) {
  const organization = parameters.add(organizationId)
  const from = parameters.add(since)
  const connection = toConnectionCondition('v.connection_id', query.connections, parameters)
  return (amount: 'total_amount' | 'total') =>
    joinConditions([
      `v.organization_id = ${organization}::uuid`,
      `v.valid_until >= ${from}::date`,
      connection,
      query.moneyOnly ? `(v.${amount} <> v.next_${amount} or v.currency <> v.next_currency)` : null,
    ])
}

type Keyed<T> = T & { key: string }

async function readInvoiceChanges(sql: Sql, organizationId: OrganizationId, groups: Group[]) {
  const rows = await sql<Keyed<StoredChange>>(
    `select g.key, ${changeColumns('total')}, v.raw::text as before, coalesce(n.raw, i.raw)::text as after
     from unnest($2::text[], $3::uuid[], $4::text[]) as g (key, connection_id, serial_number)
     join invoice_version v on v.organization_id = $1 and v.connection_id = g.connection_id
                           and v.invoice_serial_number = g.serial_number
     join invoice i on i.organization_id = $1 and i.connection_id = v.connection_id and i.serial_number = g.serial_number
     left join lateral (select raw from invoice_version n where n.organization_id = $1 and n.connection_id = v.connection_id
                        and n.invoice_serial_number = v.invoice_serial_number and n.id > v.id order by n.id limit 1) n on true
     ${RUN_OF_CHANGE}
     where ${GROUP_KEY} = g.key order by v.id desc`,
    [organizationId, ...toColumns(groups)],
  )
  return collect<RecordChange, StoredChange>(rows, toRecordChange)
}

type StoredLineChange = StoredChange & { lineId: string; description: string; expenseDate: Day }

async function readLineChanges(sql: Sql, organizationId: OrganizationId, groups: Group[], moneyOnly: boolean) {
  const rows = await sql<Keyed<StoredLineChange>>(
    `select g.key, ${changeColumns('total_amount')}, l.id as "lineId", l.description, l.expense_date as "expenseDate",
            v.raw::text as before, coalesce(n.raw::text, p.raw) as after
     from unnest($2::text[], $3::uuid[], $4::text[], $5::uuid[]) as g (key, connection_id, serial_number, run_id)
     cross join lateral (
       select * from line_version v
       where v.organization_id = $1 and v.connection_id = g.connection_id and v.invoice_serial_number = g.serial_number
         and v.run_id is not distinct from g.run_id and ${GROUP_KEY} = g.key
         and (not $6::boolean or v.total_amount <> v.next_total_amount or v.currency <> v.next_currency)
       order by abs(v.next_total_amount - v.total_amount) desc, v.id limit ${LINES_PER_GROUP}) v
     join line l on l.organization_id = $1 and l.connection_id = v.connection_id and l.id = v.line_id
     join ${PAYLOAD_OF_LINE}
     left join lateral (select raw from line_version n where n.organization_id = $1 and n.connection_id = v.connection_id
                        and n.line_id = v.line_id and n.id > v.id order by n.id limit 1) n on true
     ${RUN_OF_CHANGE}
     order by abs(v.next_total_amount - v.total_amount) desc, v.id`,
    [organizationId, ...toColumns(groups), groups.map(({ runId }) => runId), moneyOnly],
  )
  return collect<LineChange, StoredLineChange>(rows, toLineChange)
}

function toLineChange(row: StoredLineChange): LineChange {
  const change = toRecordChange(row)
  const { effect, fields } = change
  return {
    ...change,
    lineId: row.lineId,
    description: row.description,
    expenseDate: row.expenseDate,
    isInherited:
      fields.length > 0 &&
      effect !== null &&
      isZeroDecimal(effect.difference) &&
      fields.every(({ path }) => INHERITED_FIELDS.has(path)),
    isLate: row.expenseDate < dayOf(row.seenAt.getTime() - LATE_AFTER_DAYS * 86_400_000),
  }
}

function toColumns(groups: Group[]) {
  return [
    groups.map(({ key }) => key),
    groups.map(({ connectionId }) => connectionId),
    groups.map(({ serialNumber }) => serialNumber),
  ]
}

function collect<Change, Row>(rows: Keyed<Row>[], toChange: (row: Row) => Change): Map<string, Change[]> {
  const byKey = new Map<string, Change[]>()
  for (const row of rows) byKey.set(row.key, [...(byKey.get(row.key) ?? []), toChange(row)])
  return byKey
}
