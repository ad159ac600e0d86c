/**
 * Every kept figure beside what its lines and invoices come to, and the way back when one is wrong.
 * Nothing here is read by a page: `npm run doctor -- figures` and the tests ask.
 */
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { momentIf } from '#lib/db/cluster/written-moments.ts'
import { type KeptAnswer, listKeptAnswers } from '#lib/db/kept-answers.ts'
import { withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { toFoundBeside, toSeenHash } from '../review/review-columns.ts'
import { COMPUTED_COMPARISONS, KEPT_COMPARISONS, storeFound, WITHOUT_LOOPS } from './comparisons/compare-lines.ts'
import { findDifferences, MOST_NAMED, type Query } from './find-differences.ts'
import { listNotesThatSayLess } from './invoice-words/note-invoice-words.ts'
import { ODD_NAMES_OF_LINE } from './name-looks/name-looks.ts'
import { judge } from './plain-invoices/plain-invoices.ts'

/** `key` says which figure of its kind; null on the side that has none of that key. */
export type FigureDifference = { name: string; key: string; kept: string | null; computed: string | null }

type FigureSource = {
  name: string
  /** SQL of all kept figures of an account: `key` and `value`, both text. */
  kept: string
  /** The same as the records come to; null where there should be none. */
  computed: string | null
  /** Asked before, for as long as the transaction lasts. */
  setting?: string
}

const OF_ACCOUNT = 'organization_id = $1::uuid and connection_id = $2::uuid'
const PRESENT = `from line where ${OF_ACCOUNT} and missing_since is null`

/** The first of the ten days, by the text of a date. */
const TEN_DAYS = `(left(expense_date::text, 8) ||
  case when right(expense_date::text, 2) >= '21' then '21' when right(expense_date::text, 2) >= '11' then '11' else '01' end)::date`
/** The first day of the month of issue, likewise. */
const MONTH = `(left(issuing_date::text, 8) || '01')::date`
const RATE = 'trim_scale(tax_percentage)'
const INVOICE = ['issuing_date', 'profile_id', 'profile_name', 'invoice_mode', 'invoice_status', 'tax_regime']
const STATE = 'line_state(finding_codes, explained_codes, reason_codes, difference, tax_difference, currency)'

/** Lines that stand as decided though they are not what was seen, or the other way round. */
const STALE_REVIEWS = `line_review v
  join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
  where v.organization_id = $1::uuid and v.connection_id = $2::uuid
    and (v.state = 'suspended') <> (v.seen_hash <> ${toSeenHash('l', toFoundBeside('l', '$1::uuid'))})`

/** What was is written once: a repair does not make history anew. */
const PASTS = 'pasts of lines'

/** That a figure is history, which a repair leaves as it is. */
export const isHistory = ({ name }: FigureDifference): boolean => name === PASTS

/**
 * What lines came to before the platform stated something else of them, by their versions, and
 * before they were gone: of each there is a past (pasts.sql), but of what a line was within the
 * transaction that brought it.
 */
const MONEY_BEFORE = `
  select v.line_id, v.valid_until as until, v.currency, v.total_amount
  from line_version v join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
  where v.${OF_ACCOUNT.replace(' and ', ' and v.')} and v.valid_until <> l.first_seen_at
    and (v.currency, v.total_amount) is distinct from (v.next_currency, v.next_total_amount) and not exists (
      select from line_past g where g.organization_id = v.organization_id and g.connection_id = v.connection_id
        and g.line_id = v.line_id and g.until = v.valid_until and g.is_gone)
  union all
  select id, missing_since, currency, total_amount from line where ${OF_ACCOUNT} and missing_since is not null
    and missing_since <> first_seen_at and changed_at <= missing_since`
/** To be joined by equality: `is not distinct from` would compare every line with every trip. */
const orNone = (column: string) => `coalesce(${column}::text, '')`

/** A column as it is kept, and of a line. */
type KeyColumn = string | [kept: string, ofLine: string]
const GRAINS: Record<string, KeyColumn[]> = {
  days_vertical: [['expense_date', TEN_DAYS], 'related_vertical'],
  days_cost_center: [['expense_date', TEN_DAYS], 'cost_center'],
  cost_center_vertical: ['related_vertical', 'cost_center'],
  service: ['related_vertical', 'service'],
  days_profile: [['expense_date', TEN_DAYS], 'profile_id', 'profile_name', 'invoice_mode', 'invoice_status'],
  days_tax: [['expense_date', TEN_DAYS], 'tax_regime', ['tax_percentage', RATE]],
  days_issued: [['expense_date', TEN_DAYS], 'related_vertical', ['issuing_date', MONTH]],
}

const KEPT_SUMS = `'lines', line_count, 'total', trim_scale(total_amount), 'findings', finding_count, 'states', unpack_states(line_states)`
const STATE_COUNTS = ['unexplained', 'explained', 'note'].map(
  (state) => `'${state}', count(*) filter (where ${STATE} = '${state}')`,
)
const COMPUTED_SUMS = `'lines', count(*), 'total', trim_scale(sum(total_amount)), 'findings', sum(finding_count),
  'states', json_build_object(${STATE_COUNTS.join(', ')})`

function toSums(name: string, from: string, columns: readonly KeyColumn[], more: KeyColumn[] = []): FigureSource {
  const [kept, ofLine] = [0, 1].map((side) => [
    'currency',
    ...columns.map((column) => (typeof column === 'string' ? column : (column[side] as string))),
  ]) as [string[], string[]]
  const also = (side: number) => more.map((pair) => `, ${typeof pair === 'string' ? pair : pair[side]}`).join('')
  return {
    name,
    kept: `select json_build_array(${kept.join(', ')})::text as key, json_build_object(${KEPT_SUMS}${also(0)})::text as value ${from}`,
    computed: `select json_build_array(${ofLine.join(', ')})::text as key, json_build_object(${COMPUTED_SUMS}${also(1)})::text as value
               ${PRESENT} group by ${ofLine.join(', ')}`,
  }
}

const FIGURES: FigureSource[] = [
  ...Object.entries(GRAINS).map(([grain, columns]) =>
    toSums(`sums by ${grain}`, `from line_rollup where ${OF_ACCOUNT} and grain = '${grain}'`, columns),
  ),
  toSums(
    'sums of trips',
    `from trip_rollup where ${OF_ACCOUNT}`,
    ['trip_id', ['issuing_date', MONTH]],
    [[`'label', dated_label`, `'label', max(expense_date::text || ' ' || trip_name)`]],
  ),
  toSums(
    'sums of invoices',
    `from invoice_rollup where ${OF_ACCOUNT}`,
    ['invoice_serial_number', ...INVOICE, ['tax_percentage', RATE]],
    [[`'tax', trim_scale(tax_amount)`, `'tax', trim_scale(sum(tax_amount))`]],
  ),
  {
    name: 'names of trips',
    kept: `select l.id as key, 'its trip is kept as one of a single name' as value
           from line l join trip_rollup r on r.organization_id = l.organization_id and r.connection_id = l.connection_id
             and r.currency = l.currency
             and ${orNone('l.trip_id')} = ${orNone('r.trip_id')} and (l.trip_id is null) = (r.trip_id is null)
             and ${orNone(MONTH.replace('issuing_date', 'l.issuing_date'))} = ${orNone('r.issuing_date')}
           where l.${OF_ACCOUNT.replace(' and ', ' and l.')} and l.missing_since is null and l.trip_name is not null
             and not r.has_names and l.trip_name is distinct from substr(r.dated_label, 12)`,
    computed: null,
  },
  {
    name: 'limits of invoices',
    kept: `select l.id as key, l.total_amount || ' is not from ' || r.least_amount || ' to ' || r.greatest_amount as value
           from line l join invoice_rollup r using (organization_id, connection_id, currency, invoice_serial_number)
           where l.${OF_ACCOUNT.replace(' and ', ' and l.')} and l.missing_since is null and l.tax_percentage = r.tax_percentage
             and ${INVOICE.map((column) => `l.${column} is not distinct from r.${column}`).join(' and ')}
             and not coalesce(l.total_amount between r.least_amount and r.greatest_amount, false)`,
    computed: null,
  },
  {
    name: 'looks of names',
    kept: `select distinct n.name as key, 'how it looks is not noted' as value from line l, ${ODD_NAMES_OF_LINE}
           where l.${OF_ACCOUNT.replace(' and ', ' and l.')}
             and (select o.folds_names from organization o where o.id = $1::uuid)
             and not exists (select from name_look k where k.organization_id = $1::uuid and k.name = n.name)`,
    computed: null,
  },
  {
    name: 'counts of the account',
    kept: `select each.key, each.value::text from connection_tally t,
             lateral (values ('lines', t.line_count), ('invoices', t.invoice_count), ('trips', t.trip_count)) each (key, value)
           where t.${OF_ACCOUNT.replace(' and ', ' and t.')} and each.value <> 0`,
    computed: `select key, value::text from (
                 select 'lines' as key, count(*) as value from line where ${OF_ACCOUNT}
                 union all select 'invoices', count(*) from invoice where ${OF_ACCOUNT}
                 union all select 'trips', count(distinct trip_id) + count(distinct connection_id) filter (where trip_id is null) ${PRESENT}
               ) counted where value <> 0`,
  },
  {
    name: 'sums of plain invoices',
    kept: `select json_build_array(profile_id, month, currency, is_gone)::text as key,
             json_build_array(sum(invoice_count), sum(line_count), trim_scale(sum(total)))::text as value
           from plain_invoice_sum where ${OF_ACCOUNT} group by profile_id, month, currency, is_gone
           having sum(invoice_count) <> 0 or sum(line_count) <> 0 or sum(total) <> 0`,
    computed: `select json_build_array(profile_id, left(issuing_date::text, 7), currency, is_gone)::text as key,
                 json_build_array(count(*), sum(line_count), trim_scale(sum(total)))::text as value
               from plain_invoice where ${OF_ACCOUNT} group by profile_id, left(issuing_date::text, 7), currency, is_gone`,
  },
  {
    name: 'plain invoices',
    kept: `select serial_number as key,
             json_build_array(profile_id, issuing_date, currency, trim_scale(total), line_count, is_gone, trim_scale(total))::text as value
           from plain_invoice where ${OF_ACCOUNT}`,
    computed: `select i.serial_number as key,
                 json_build_array(i.profile_id, i.issuing_date, i.currency, trim_scale(i.total), held.lines, i.missing_since is not null,
                   trim_scale(held.total))::text as value
               from plain_invoice p join invoice i using (organization_id, connection_id, serial_number),
                 lateral (select count(*) as lines, sum(l.total_amount) as total from line l
                          where l.organization_id = i.organization_id and l.connection_id = i.connection_id
                            and l.invoice_serial_number = i.serial_number and l.missing_since is null) held
               where p.${OF_ACCOUNT.replace(' and ', ' and p.')}`,
  },
  {
    name: 'judgments of invoices',
    kept: `select serial_number as key, 'plain' as value from plain_invoice where ${OF_ACCOUNT}
           union all select serial_number, 'to be proved' from doubtful_invoice where ${OF_ACCOUNT}`,
    computed: `with ${judge(`select connection_id, serial_number from plain_invoice where ${OF_ACCOUNT}
                 union select connection_id, serial_number from doubtful_invoice where ${OF_ACCOUNT}`)}
               select serial_number as key, case when is_plain then 'plain' else 'to be proved' end as value from judged`,
  },
  {
    name: 'decisions about lines',
    kept: `select v.line_id as key, case v.state when 'suspended' then 'changed since, and is as it was seen'
             else v.state || ', and is not as it was seen' end as value
           from ${STALE_REVIEWS}`,
    computed: null,
  },
  // what is set for these stays set; before statistics of it are there, a table is taken for empty
  {
    name: PASTS,
    setting: WITHOUT_LOOPS,
    // other pasts are of what no version tells: a cost center, a finding
    kept: `select distinct json_build_array(p.line_id, p.until, p.currency, trim_scale(p.total_amount))::text as key, 'kept' as value
           from line_past p join (${MONEY_BEFORE}) told using (line_id, until, currency, total_amount) where ${OF_ACCOUNT} and not is_gone`,
    computed: `select json_build_array(line_id, until, currency, trim_scale(total_amount))::text as key, 'kept' as value
               from (${MONEY_BEFORE}) told group by line_id, until, currency, total_amount`,
  },
  {
    name: 'findings beside other lines',
    kept: KEPT_COMPARISONS,
    computed: COMPUTED_COMPARISONS,
    setting: WITHOUT_LOOPS,
  },
]

const WORDS = 'words of invoices'

/** A row as text in which 1.50 is 1.5: by its key, or without one by how often it is there. */
function toKeptAnswer({ table, key }: KeptAnswer): FigureSource {
  const row = `(select json_object_agg(name, case json_typeof(value) when 'number' then to_json(trim_scale(value::text::numeric)) else value end)
            from json_each(row_to_json(r)) as cell (name, value))::text`
  const toRows = (from: string) =>
    key.length > 0
      ? `select json_build_array(${key.join(', ')})::text as key, ${row} as value from ${from}`
      : `select key, count(*)::text as value from (select ${row} as key from ${from}) each group by key`
  return {
    name: table.replaceAll('_', ' '),
    kept: toRows(`${table} r where ${OF_ACCOUNT}`),
    computed: toRows(`computed_${table}($1::uuid, $2::uuid) r`),
  }
}

async function listSources(sql: Query): Promise<FigureSource[]> {
  const kept = await listKeptAnswers((text) => sql(text, []))
  return [...kept.map(toKeptAnswer), ...FIGURES]
}

/** Which kinds of figures are compared. */
export async function listFigureKinds(sql: Query): Promise<string[]> {
  return [...(await listSources(sql)).map(({ name }) => name), WORDS]
}

/**
 * The kept figures of an account that are not what its records come to, at most twenty of each
 * kind, all as of one moment. Reads every line of it once for each kind; what is held in memory
 * does not grow with the account (find-differences.ts).
 */
export function compareFigures(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<FigureDifference[]> {
  return withTenantSnapshot(organizationId, (sql) => readDifferences(sql, organizationId, connectionId))
}

/** As `compareFigures`, by a connection of the caller, who has one moment for all of it. */
export async function readDifferences(
  sql: Query,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<FigureDifference[]> {
  const words = await listNotesThatSayLess(sql, [organizationId, connectionId], MOST_NAMED)
  const found: FigureDifference[] = words.map((key) => ({
    name: WORDS,
    key,
    kept: 'less than its lines say',
    computed: 'all that they say',
  }))
  for (const { name, kept, computed, setting } of await listSources(sql)) {
    if (setting !== undefined) await sql(setting, [])
    const sides = { kept, computed, own: [organizationId, connectionId] }
    found.push(...(await findDifferences(sql, sides)).map((each) => ({ name, ...each })))
  }
  return found
}

/**
 * Makes every kept figure of an account anew from its records, in one transaction in which nobody
 * else writes the account, with an entry in the audit. Judgments and notes of its invoices are
 * taken back: the worker makes them again, and what has none is proved when it is asked for.
 * History stays as it is.
 * @throws Error when a figure is still another one afterwards; then nothing has changed.
 */
export async function repairFigures(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  actor: Actor,
  differences: readonly FigureDifference[],
): Promise<void> {
  await withTenantSql(organizationId, async (sql) => {
    const own = [organizationId, connectionId]
    // whoever writes lines or invoices of the account, or judges these, waits for this row
    await sql(`select from connection_tally where ${OF_ACCOUNT} for update`, own)
    for (const table of [
      'line_rollup',
      'trip_rollup',
      'invoice_rollup',
      'plain_invoice',
      'doubtful_invoice',
      'invoice_words',
    ])
      await sql(`delete from ${table} where ${OF_ACCOUNT}`, own)
    await sql(`delete from plain_invoice_sum where ${OF_ACCOUNT}`, own)
    for (const { table } of await listKeptAnswers(sql)) {
      await sql(`delete from ${table} where ${OF_ACCOUNT}`, own)
      await sql(`insert into ${table} select * from computed_${table}($1::uuid, $2::uuid) returning 1`, own)
    }
    await sql('select roll_up_account($1::uuid, $2::uuid)', own)
    await sql(
      `update connection_tally set
         line_count = (select count(*) from line where ${OF_ACCOUNT}),
         invoice_count = (select count(*) from invoice where ${OF_ACCOUNT}),
         trip_count = (select count(distinct trip_id) + count(distinct connection_id) filter (where trip_id is null) ${PRESENT})
       where ${OF_ACCOUNT}`,
      own,
    )
    await storeFound(sql, organizationId, connectionId)
    await sql(
      `update line_review u set
         state = case when u.state = 'suspended' then u.previous_state else 'suspended' end,
         previous_state = case when u.state = 'suspended' then null else u.state end,
         cause = case when u.state = 'suspended' then null else 'changed' end,
         suspended_at = ${momentIf("u.state is distinct from 'suspended'")}
       where u.organization_id = $1 and u.connection_id = $2 and u.line_id in (select v.line_id from ${STALE_REVIEWS})`,
      own,
    )
    const left = (await readDifferences(sql, organizationId, connectionId)).find((each) => !isHistory(each))
    if (left !== undefined) throw new Error(`${left.name} ${left.key} is still ${left.kept}, not ${left.computed}`)
    const repaired = differences.filter((each) => !isHistory(each))
    await recordAudit(sql, organizationId, {
      actor,
      action: 'figures.repaired',
      subject: { kind: 'connection', id: connectionId },
      before: { figures: repaired.map(({ name, key, kept }) => ({ name, key, value: kept })) },
      after: { figures: repaired.map(({ name, key, computed }) => ({ name, key, value: computed })) },
    })
  })
}
