/** SQL of what lines were at two moments, and of which part of a bridge each is. */
import type { OrganizationId } from '#lib/ids.ts'
import type { MomentScope } from '../query/moments/moment-query.ts'
import { joinConditions, type SqlParameters, toAnyOf, toConnectionCondition } from '../sql/sql-parameters.ts'

/** What stood is told by these, of a line and of its pasts alike. */
const THEN = [
  'currency',
  'total_amount',
  'issuing_date',
  'expense_date',
  'profile_id',
  'cost_center',
  'trip_id',
  'finding_codes',
  'explained_codes',
]

export type MomentSql = {
  organization: string
  /** Placeholders of the two moments; the later one is null for now. */
  start: string
  end: string | null
  ofAccounts: (alias: string) => string | null
  /** Whether what stood is in the scope, by what it was then; null is no. */
  isIn: (alias: string) => string
}

/** The parameters that the pieces of SQL here share. A text that names no line finds nothing. */
export function toMomentSql(
  organizationId: OrganizationId,
  scope: MomentScope,
  moments: { from: string; to: string | null },
  parameters: SqlParameters,
): MomentSql {
  const { connections, profiles, costCenters, trips, from, to, dateField } = scope
  const day = dateField === 'issued' ? 'issuing_date' : 'expense_date'
  const isIn = (alias: string) =>
    joinConditions([
      'true',
      toAnyOf(`${alias}.profile_id`, profiles, parameters),
      toAnyOf(`${alias}.cost_center`, costCenters, parameters),
      toAnyOf(`${alias}.trip_id`, trips, parameters),
      from === null ? null : `${alias}.${day} >= ${parameters.add(from)}::date`,
      to === null ? null : `${alias}.${day} <= ${parameters.add(to)}::date`,
    ])
  return {
    organization: `${parameters.add(organizationId)}::uuid`,
    start: `${parameters.add(moments.from)}::timestamptz`,
    end: moments.to === null ? null : `${parameters.add(moments.to)}::timestamptz`,
    ofAccounts: (alias) => toConnectionCondition(`${alias}.connection_id`, connections, parameters),
    isIn,
  }
}

/**
 * Common tables: `past_start` and `past_end`, the first past of each line that is until later than
 * the moment; `touched`, the lines of `past_start` with what they were then, what they are now
 * (`now_…`), what they were at the later moment if that differs (`end_…`), and when they came; and
 * `piece`, a row for each line that is of a part, with the part, its effect and its currency, and
 * what the line comes to since the later moment (part `since`). Of a line that has no past since
 * the earlier moment nothing is here: it stands as it did, or came since (`toArrived`). Each line
 * is looked up once, for all that asks for it.
 */
export function toPieces(sql: MomentSql): string {
  const { organization, start, end, isIn } = sql
  const pasts = (after: string) => `
    select distinct on (p.connection_id, p.line_id) p.connection_id, p.line_id, p.is_gone, ${THEN.map((name) => `p.${name}`).join(', ')}
    from line_past p where ${joinConditions([`p.organization_id = ${organization}`, `p.until > ${after}`, sql.ofAccounts('p')])}
    order by p.connection_id, p.line_id, p.id`
  const names = ['is_gone', ...THEN]
  const of = (prefix: string) => names.map((name) => prefix + name).join(', ')
  const later =
    end === null
      ? `select ${of('t.now_')}`
      : `select ${of('t.end_')} where t.has_end union all select ${of('t.now_')} where not t.has_end`
  return `
    past_start as materialized (${pasts(start)}),
    ${end === null ? '' : `past_end as materialized (${pasts(end)}),`}
    touched as materialized (
      select s.*, l.first_seen_at, l.missing_since is not null as now_is_gone, ${THEN.map((name) => `${ofLine(name)} as now_${name}`).join(', ')}
             ${end === null ? '' : `, e.line_id is not null as has_end, ${names.map((name) => `e.${name} as end_${name}`).join(', ')}`}
      from past_start s
      join line l on l.organization_id = ${organization} and l.connection_id = s.connection_id and l.id = s.line_id
      ${end === null ? '' : 'left join past_end e on e.connection_id = s.connection_id and e.line_id = s.line_id'}),
    piece as materialized (
      select t.connection_id, t.line_id, p.part, p.currency, p.effect, p.joined, t.now_expense_date as day
      from touched t
      cross join lateral (select ${of('t.')}) a (${of('')})
      cross join lateral (${later}) b (${of('')})
      cross join lateral (select ${of('t.now_')}) n (${of('')})
      cross join lateral (select t.first_seen_at <= ${start} as was_seen,
                                 ${end === null ? 'true' : `t.first_seen_at <= ${end}`} as is_seen) k
      cross join lateral (select k.was_seen and not a.is_gone as was_held, k.is_seen and not b.is_gone as is_held) h
      cross join lateral (select h.was_held and coalesce(${isIn('a')}, false) as was_in, h.is_held and coalesce(${isIn('b')}, false) as is_in,
                                 not n.is_gone and coalesce(${isIn('n')}, false) as now_in) i
      cross join lateral (
        select case when a.total_amount <> b.total_amount then 'changed'
                    when (a.finding_codes, a.explained_codes) is distinct from (b.finding_codes, b.explained_codes)
                         and a.finding_codes is not null and b.finding_codes is not null then 'proved' end,
               b.currency, b.total_amount - a.total_amount, 0
        where i.was_in and i.is_in and a.currency = b.currency
        union all
        select case when i.is_in then 'changed' when h.is_held then 'moved' else 'gone' end, a.currency, -a.total_amount, -1
        where i.was_in and not (i.is_in and a.currency = b.currency)
        union all
        select case when i.was_in then 'changed' when h.was_held then 'moved' when k.was_seen then 'back'
                    when b.total_amount < 0 then 'credited' else 'new' end, b.currency, b.total_amount, 1
        where i.is_in and not (i.was_in and a.currency = b.currency)
        ${toSince(end)}) p (part, currency, effect, joined)
      where p.part is not null)`
}

/**
 * The where-clause of lines `l` that came after a moment, stand as they came, and are in the scope.
 */
export function toArrived(sql: MomentSql, moment: string, hasPast = HAS_PAST): string {
  return joinConditions([
    `l.organization_id = ${sql.organization}`,
    `l.first_seen_at > ${moment}`,
    'l.missing_since is null',
    sql.ofAccounts('l'),
    sql.isIn('l'),
    `not ${hasPast}`,
  ])
}

/**
 * The first past of a line (columns `connection_id`, `line_id`) that is until later than a moment,
 * by the index of pasts: for the few lines of a page.
 */
export function toPastOf({ organization }: MomentSql, moment: string, connectionId: string, lineId: string): string {
  return `select * from line_past p where p.organization_id = ${organization} and p.connection_id = ${connectionId}
          and p.line_id = ${lineId} and p.until > ${moment} order by p.id limit 1`
}

/** A column of `l` as a past would have it: codes that nobody has looked for are none. */
function ofLine(column: string): string {
  return column.endsWith('_codes') ? `coalesce(l.${column}, '{}')` : `l.${column}`
}

/** Whether a line `l` has a past since the earlier moment: then `piece` tells of it. */
export const HAS_PAST = 'exists (select from past_start s where s.connection_id = l.connection_id and s.line_id = l.id)'

/** What the lines of `touched` are now, by the columns' own names. */
export const TOUCHED_NOW = `select connection_id, now_is_gone as is_gone, ${THEN.map((name) => `now_${name} as ${name}`).join(', ')} from touched`

/** What a line comes to since the later moment. */
function toSince(end: string | null): string {
  return end === null
    ? ''
    : `union all
        select 'since', n.currency, n.total_amount, 1 where i.now_in
        union all
        select 'since', b.currency, -b.total_amount, -1 where i.is_in`
}

/** SQL of what a line was by `alias`, a past of it or the line itself, as `LineThen`. */
export function toThen(alias: string): string {
  const toValue = (column: string) => (alias === 'l' ? ofLine(column) : `${alias}.${column}`)
  const members = THEN.map(
    (column) => `'${toMember(column)}', ${toValue(column)}${column === 'total_amount' ? '::text' : ''}`,
  )
  const isGone = alias === 'l' ? 'l.missing_since is not null' : `${alias}.is_gone`
  return `json_build_object('isGone', ${isGone}, ${members.join(', ')})`
}

function toMember(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
