import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { isZeroDecimal } from '#lib/reconcile/money.ts'
import type { ChangeList, ChangeSummary, ChangeTotal, InvoiceChanges, LineChange, RecordChange } from '../model.ts'
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
import { changeColumns, RUN_OF_CHANGE, type StoredChange, toRecordChange } from './history.ts'

/** How many changed lines of an invoice are compared; the rest are counted. */
const LINES_PER_GROUP = 20
/** A change of a line whose expense is older than this is late: the default look-back window. */
const LATE_AFTER_DAYS = 35

/** What every line repeats from its invoice (contract, "Extended invoice line details"). */
const INHERITED_FIELDS = new Set(
  'profile_id profile_name invoice_mode invoice_status issuing_date due_date currency'.split(' '),
)

type Group = Omit<InvoiceChanges, 'invoice' | 'lines' | 'seenAt' | 'lineCount'> & {
  key: string
  seenAt: string
  lineCount: number
}

/**
 * What the platform changed since a day, by run and invoice, latest first, with the effect per
 * currency. Groups, totals and counts are read at one moment. The changes in the groups may be read
 * later: a change is never undone.
 */
export async function listChanges(organizationId: OrganizationId, query: ChangeQuery, now: Date): Promise<ChangeList> {
  const since = query.since ?? toDay(now.getTime() - DEFAULT_CHANGE_DAYS * 86_400_000)
  return withTenantSql(organizationId, async (sql) => {
    const { groups, counts, totals, arrived } = await readOverview(sql, organizationId, since, query)
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
      totals,
      arrived: arrived[0] ?? { lines: 0, invoices: 0 },
      page: query.page,
      pageCount: Math.max(1, Math.ceil(groupCount / CHANGE_GROUPS_PER_PAGE)),
    }
  })
}

/**
 * What changed, arrived and disappeared in the last `days` days, without the changes themselves.
 */
export async function summarizeChanges(organizationId: OrganizationId, now: Date, days = 7): Promise<ChangeSummary> {
  const since = toDay(now.getTime() - days * 86_400_000)
  const { counts, totals, arrived } = await withTenantSql(organizationId, (sql) =>
    readOverview(sql, organizationId, since, DEFAULT_CHANGE_QUERY),
  )
  return {
    since,
    groupCount: counts[0]?.count ?? 0,
    totals,
    arrived: arrived[0] ?? { lines: 0, invoices: 0 },
  }
}

/** Groups what one run saw of one invoice. A change without a run is grouped by its moment. */
const GROUP_KEY = `coalesce(v.run_id::text, v.valid_until::text) || ' ' || v.connection_id || ' ' || v.invoice_serial_number`

function readOverview(sql: Sql, organizationId: OrganizationId, since: Day, query: ChangeQuery) {
  const parameters = createSqlParameters()
  const conditions = toConditions(organizationId, since, query, parameters)
  const limit = parameters.add(CHANGE_GROUPS_PER_PAGE)
  const offset = parameters.add((query.page - 1) * CHANGE_GROUPS_PER_PAGE)
  const counted = (column: 'r.connection_id' | 'connection_id') => {
    const of = toConnectionCondition(column, query.connections, parameters)
    return of === null ? '' : ` and ${of}`
  }
  const ofRuns = counted('r.connection_id')
  // joined separately: it then uses their keys even while the tables have no statistics
  const arrivedIn = (table: 'sync_page' | 'sync_arrival', moment: string) => `
    select p.list, p.inserted from ${table} p join sync_run r on r.organization_id = p.organization_id and r.id = p.run_id
    where p.organization_id = $1::uuid and ${moment} >= $2::date${ofRuns}`
  const changed = `
    with changed as materialized (
      select ${GROUP_KEY} as key, v.connection_id, v.invoice_serial_number, v.run_id, v.valid_until, v.line_id,
             'line' as kind, v.currency, v.next_currency, v.next_total_amount - v.total_amount as effect
      from line_version v where ${conditions('total_amount')}
      union all
      select ${GROUP_KEY}, v.connection_id, v.invoice_serial_number, v.run_id, v.valid_until, null,
             'invoice', v.currency, v.next_currency, v.next_total - v.total
      from invoice_version v where ${conditions('total')}),
    grouped as (
      select key, connection_id, invoice_serial_number, run_id, max(valid_until) as seen_at,
             count(distinct line_id)::int as line_count
      from changed group by key, connection_id, invoice_serial_number, run_id)`
  return selectTogether<{
    groups: Group[]
    counts: { count: number }[]
    totals: ChangeTotal[]
    arrived: { lines: number; invoices: number }[]
  }>(
    sql,
    {
      groups: `select g.key, g.connection_id as "connectionId", c.name as "connectionName",
                 g.invoice_serial_number as "serialNumber", i.profile_name as "profileName", g.run_id as "runId", r.trigger,
                 to_char(g.seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "seenAt",
                 g.line_count as "lineCount"
               from (select * from grouped order by seen_at desc, key limit ${limit} offset ${offset}) g
               join connection c on c.organization_id = $1::uuid and c.id = g.connection_id
               left join invoice i on i.organization_id = $1::uuid and i.connection_id = g.connection_id
                                  and i.serial_number = g.invoice_serial_number
               left join sync_run r on r.organization_id = $1::uuid and r.id = g.run_id
               order by g.seen_at desc, g.key`,
      counts: 'select count(*)::int as count from grouped',
      totals: `select currency, coalesce(c.line_count, 0)::int as "lineCount", coalesce(c.line_effect, 0)::text as "lineEffect",
                 coalesce(g.gone_count, 0)::int as "goneCount", coalesce(g.gone_amount, 0)::text as "goneAmount",
                 (coalesce(c.line_effect, 0) - coalesce(g.gone_amount, 0))::text as "netEffect",
                 coalesce(c.invoice_count, 0)::int as "invoiceCount", coalesce(c.invoice_effect, 0)::text as "invoiceEffect"
               from (select next_currency as currency, count(distinct (connection_id, line_id)) filter (where kind = 'line') as line_count,
                       sum(effect) filter (where kind = 'line' and currency = next_currency) as line_effect,
                       count(distinct (connection_id, invoice_serial_number)) filter (where kind = 'invoice') as invoice_count,
                       sum(effect) filter (where kind = 'invoice' and currency = next_currency) as invoice_effect
                     from changed group by next_currency) c
               full join (select currency, count(*) as gone_count, sum(total_amount) as gone_amount from line
                          where organization_id = $1::uuid and missing_since >= $2::date${counted('connection_id')} group by 1) g
                 using (currency)
               order by currency`,
      arrived: `select coalesce(sum(p.inserted) filter (where p.list = 'lines'), 0)::int as lines,
                  coalesce(sum(p.inserted) filter (where p.list = 'invoices'), 0)::int as invoices
                from (${arrivedIn('sync_page', 'p.committed_at')} union all ${arrivedIn('sync_arrival', 'p.day')}) p`,
    },
    parameters.values,
    changed,
  )
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
      effect !== null && isZeroDecimal(effect.difference) && fields.every(({ path }) => INHERITED_FIELDS.has(path)),
    isLate: row.expenseDate < toDay(row.seenAt.getTime() - LATE_AFTER_DAYS * 86_400_000),
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

function toDay(moment: number): Day {
  return new Date(moment).toISOString().slice(0, 10) as Day
}
