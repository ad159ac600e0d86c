import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import {
  MOMENT_PARTS,
  type MomentBridge,
  type MomentPart,
  type MomentSums,
  toMomentBridge,
} from '#lib/reconcile/moments/moment-bridge.ts'
import { addDecimals, type DecimalText, isZeroDecimal, subtractDecimals } from '#lib/reconcile/money.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource, LINES, type LineSource } from '../conditions/line-source.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { MomentLine, MomentList } from '../model.ts'
import { DEFAULT_LINE_QUERY, type LineFilters } from '../query/line-query.ts'
import { MOMENT_LINES_PER_PAGE, type MomentQuery } from '../query/moments/moment-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { createSqlParameters, joinConditions, type SqlParameters } from '../sql/sql-parameters.ts'
import { toKeptArrivals } from './arrivals.ts'
import {
  HAS_PAST,
  type MomentSql,
  TOUCHED_NOW,
  toArrived,
  toMomentSql,
  toPastOf,
  toPieces,
  toThen,
} from './moment-lines.ts'

type Asked = Pick<MomentQuery, 'scope' | 'to' | 'part' | 'currency' | 'page'> & { from: string }
/** So many new lines are ordered by their effect, which no index has; more come by day. */
const MOST_BY_EFFECT = 10_000

type Figure = { figure: string; currency: string; count: number; joined: number; amount: DecimalText }

/**
 * What led from what a scope came to at one moment to what it came to at another, or now, one
 * bridge per currency, with a page of the lines of a part, the largest effect first. What stood at
 * a moment is what every transaction that had begun by then has left. All of it is read at one
 * moment, and adds up exactly.
 */
export function readMoments(organizationId: OrganizationId, asked: Asked): Promise<MomentList> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const filters = await spellOut(sql, organizationId, { ...DEFAULT_LINE_QUERY, ...asked.scope })
    const accounts = await findAccounts(sql, organizationId, asked)
    const ask = async <Result extends Record<string, object[]>>(
      toQueries: (moments: MomentSql, parameters: SqlParameters) => { [Name in keyof Result & string]: string },
      toTables: (moments: MomentSql) => string = () => '',
    ) => {
      const parameters = createSqlParameters()
      const moments = toMomentSql(organizationId, filters, asked, parameters)
      const queries = toQueries(moments, parameters)
      return selectTogether<Result>(sql, queries, parameters.values, toTables(moments))
    }
    const { part } = asked
    const { figures, largest, newest } = await ask<{ figures: Figure[]; largest: Piece[]; newest: Piece[] }>(
      (moments, parameters) => ({
        figures: toFigures({ organizationId, filters, moments, parameters }, accounts),
        largest: toPartPieces(asked, false, parameters),
        newest: toPartPieces({ ...asked, part: part === 'new' ? part : null }, true, parameters),
      }),
      (moments) => `with ${toPieces(moments)}`,
    )
    const bridges = toBridges(figures)
    const listed = bridges.filter(({ currency }) => asked.currency === null || asked.currency === currency)
    const lineCount = part === null ? 0 : listed.reduce((count, { parts }) => count + parts[part].count, 0)
    const isByDay = part === 'new' && lineCount > MOST_BY_EFFECT
    const page = { ...asked, isByDay, pieces: isByDay ? newest : largest }
    const readLines = async () =>
      (await ask<{ lines: MomentLine[] }>((...of) => ({ lines: toPartLines(page, ...of) }))).lines
    return {
      bridges,
      lines: lineCount === 0 ? [] : await readLines(),
      lineCount,
      isByDay,
      pageCount: Math.max(1, Math.ceil(lineCount / MOMENT_LINES_PER_PAGE)),
    }
  })
}

/** Accounts made after a moment, of which all lines came since; and whether there are others. */
type Accounts = { newer: string[]; hasOlder: boolean }

async function findAccounts(sql: Sql, organizationId: OrganizationId, { from, to, scope }: Asked) {
  const [row] = await sql<{ all: number; sinceStart: string[] | null; sinceEnd: string[] | null }>(
    `select count(*)::int as all, array_agg(id) filter (where created_at > $2::timestamptz) as "sinceStart",
            array_agg(id) filter (where created_at > $3::timestamptz) as "sinceEnd"
     from connection where organization_id = $1 and ($4::text[] = '{}' or id::text = any($4::text[]))`,
    [organizationId, from, to, scope.connections],
  )
  const toAccounts = (ids: string[] | null | undefined): Accounts => ({
    newer: ids ?? [],
    hasOlder: (ids ?? []).length < (row?.all ?? 0),
  })
  return { sinceStart: toAccounts(row?.sinceStart), sinceEnd: toAccounts(row?.sinceEnd) }
}

/** Every figure of the bridges, by currency. */
function toFigures(parts: Parts, { sinceStart, sinceEnd }: Record<'sinceStart' | 'sinceEnd', Accounts>): string {
  const { organizationId, filters, moments, parameters } = parts
  const figures = [
    toNow(organizationId, filters, parameters),
    'select part, currency, count(*), sum(joined), sum(effect) from piece group by part, currency',
    ...toArrivals('start', moments.start, sinceStart, parts),
    ...(moments.end === null ? [] : toArrivals('end', moments.end, sinceEnd, parts)),
  ]
  return `select figure, currency, sum(count)::int as count, sum(joined)::int as joined, coalesce(sum(amount), 0)::text as amount
          from (${figures.join(' union all ')}) each (figure, currency, count, joined, amount) group by figure, currency`
}

type Parts = { organizationId: OrganizationId; filters: LineFilters; moments: MomentSql; parameters: SqlParameters }

function toNow(organizationId: OrganizationId, filters: LineFilters, parameters: SqlParameters): string {
  const source = chooseLineSource(filters, [])
  return `select 'now' as figure, l.currency, ${source.lineCount} as count, 0 as joined, sum(l.total_amount) as amount
          from ${source.from} where ${toLineConditions(organizationId, filters, parameters, source)} group by l.currency`
}

/**
 * The lines that came since a moment and stand as they came, and those of them below zero: from
 * what days brought, else, of accounts made since, what the roll-ups have without the lines that
 * have a past. Nobody reads a whole account for what it brought.
 */
function toArrivals(
  side: 'start' | 'end',
  moment: string,
  { newer, hasOlder }: Accounts,
  { organizationId, filters, moments, parameters }: Parts,
): string[] {
  const figures: string[] = []
  const tell = (sums: string, all = true) => `
    select each.* from (${sums}) of_currency (currency, lines, total, below, below_total)
    cross join lateral (values ${all ? `('arrived ${side}', currency, lines, 0, total), ` : ''}('below ${side}', currency, below, 0, below_total)) each`
  const kept = toKeptArrivals(moment, filters, moments, parameters)
  if (kept !== null) return [tell(kept)]
  const sums = (rows: string, all = true) =>
    tell(
      `select l.currency, count(*), sum(l.total_amount), count(*) filter (where l.total_amount < 0),
              sum(l.total_amount) filter (where l.total_amount < 0)
       from ${rows} group by l.currency`,
      all,
    )
  if (hasOlder) {
    const older = newer.length === 0 ? null : `l.connection_id <> all(${parameters.add(newer)}::uuid[])`
    figures.push(sums(`line l where ${joinConditions([toArrived(moments, moment), older])}`))
  }
  if (newer.length > 0) {
    const ofNewer = { ...filters, connections: newer }
    const source = chooseLineSource(ofNewer, [])
    const all = (of: LineSource) => `${of.from} where ${toLineConditions(organizationId, ofNewer, parameters, of)}`
    figures.push(
      `select 'arrived ${side}', l.currency, ${source.lineCount}, 0, sum(l.total_amount) from ${all(source)} group by l.currency`,
      // those with a past are told by it
      `select 'arrived ${side}', l.currency, -count(*), 0, -sum(l.total_amount)
       from (${TOUCHED_NOW}) l
       where ${joinConditions(['not l.is_gone', `l.connection_id = any(${parameters.add(newer)}::uuid[])`, moments.isIn('l')])}
       group by l.currency`,
      sums(`${all(LINES)} and l.total_amount < 0 and not ${HAS_PAST}`, false),
    )
  }
  return figures
}

/** A line of `piece` that may be of the page. */
type Piece = { connectionId: string; lineId: string; currency: string; effect: DecimalText; day: string }

/** Lines that came stand in `piece` and beside it, so a page of them is known only of both. */
const hasArrivals = (part: MomentPart | null) => part === 'new' || part === 'credited'

/** By day of expense, the newest first, for which there is an index; else the largest first. */
function toOrder(isByDay: boolean, row: string, [line, effect, day] = ['line_id', 'effect', 'day']): string {
  const key = `${row}connection_id, ${row}${line}`
  return isByDay ? `${row}${day} desc, ${key}` : `${row}currency, abs(${row}${effect}) desc, ${key}, ${row}${effect}`
}

/** The lines of `piece` that may be of the page; none of no part. */
function toPartPieces({ part, currency, page }: Asked, isByDay: boolean, parameters: SqlParameters): string {
  const skipped = hasArrivals(part) ? 0 : (page - 1) * MOMENT_LINES_PER_PAGE
  return `select connection_id as "connectionId", line_id as "lineId", currency, effect::text, day::text
          from (select * from piece
                where ${joinConditions([
                  part === null ? 'false' : `part = ${parameters.add(part)}`,
                  currency === null ? null : `currency = ${parameters.add(currency)}`,
                ])}
                order by ${toOrder(isByDay, '')} limit ${parameters.add(page * MOMENT_LINES_PER_PAGE - skipped)} offset ${parameters.add(skipped)}) p
          order by ${toOrder(isByDay, 'p.')}`
}

/** The page's lines of the part: of those in `pieces`, and of those that came and stand. */
function toPartLines(
  { part, currency, page, isByDay, pieces }: Asked & { isByDay: boolean; pieces: Piece[] },
  moments: MomentSql,
  parameters: SqlParameters,
): string {
  const [skipped, last] = [(page - 1) * MOMENT_LINES_PER_PAGE, page * MOMENT_LINES_PER_PAGE]
  const sign = part === 'credited' ? '<' : '>='
  const column = (name: keyof Piece, type: string) => `${parameters.add(pieces.map((piece) => piece[name]))}::${type}[]`
  const arrived = !hasArrivals(part)
    ? ''
    : `union all (
       select l.connection_id, l.id as line_id, l.currency, l.total_amount as effect, l.expense_date as day
       from line l where ${joinConditions([
         toArrived(moments, moments.start, `exists (${toPastOf(moments, moments.start, 'l.connection_id', 'l.id')})`),
         moments.end === null ? null : `l.first_seen_at <= ${moments.end}`,
         `l.total_amount ${sign} 0`,
         currency === null ? null : `l.currency = ${parameters.add(currency)}`,
       ])} order by ${toOrder(isByDay, 'l.', ['id', 'total_amount', 'expense_date'])} limit ${parameters.add(last)})`
  const pastOf = (moment: string) => toPastOf(moments, moment, 'k.connection_id', 'k.line_id')
  // what it was is written out for the page alone
  return `
    select k.connection_id as "connectionId", c.name as "connectionName", k.line_id as id, l.invoice_serial_number as "serialNumber",
           l.description, k.currency, k.effect::text, ${hasArrivals(part) ? 'null' : toThen('s')} as before,
           ${moments.end === null ? toThen('l') : `case when e.line_id is null then ${toThen('l')} else ${toThen('e')} end`} as after
    from (select connection_id, line_id, currency, effect, day
          from (select * from unnest(${column('connectionId', 'uuid')}, ${column('lineId', 'text')}, ${column('currency', 'text')},
                                     ${column('effect', 'numeric')}, ${column('day', 'date')}) p (connection_id, line_id, currency, effect, day)
                ${arrived}) of_part
          order by ${toOrder(isByDay, '')} limit ${MOMENT_LINES_PER_PAGE} offset ${parameters.add(hasArrivals(part) ? skipped : 0)}) k
    left join lateral (${pastOf(moments.start)}) s on true
    ${moments.end === null ? '' : `left join lateral (${pastOf(moments.end)}) e on true`}
    join line l on l.organization_id = ${moments.organization} and l.connection_id = k.connection_id and l.id = k.line_id
    join connection c on c.organization_id = ${moments.organization} and c.id = k.connection_id
    order by ${toOrder(isByDay, 'k.')}`
}

const NOTHING = { count: 0, joined: 0, amount: '0' as DecimalText }

function toBridges(figures: readonly Figure[]): MomentBridge[] {
  const currencies = [...new Set(figures.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => toMomentBridge(toSums(currency, figures))).filter(isTold)
}

function toSums(currency: string, figures: readonly Figure[]): MomentSums {
  const find = (figure: string): Sum =>
    figures.find((each) => each.figure === figure && each.currency === currency) ?? NOTHING
  const came = (figure: string) => {
    const { count, amount } = find(figure)
    return { count, joined: count, amount }
  }
  const between = (name: 'arrived' | 'below') => subtract(came(`${name} start`), came(`${name} end`))
  const credited = between('below')
  const arrived: Partial<Record<MomentPart, Sum>> = { credited, new: subtract(between('arrived'), credited) }
  const parts = MOMENT_PARTS.map((part) => [part, add(find(part), arrived[part] ?? NOTHING)])
  const { joined, amount } = add(find('since'), came('arrived end'))
  return { currency, now: find('now'), since: { count: joined, amount }, parts: Object.fromEntries(parts) }
}

type Sum = typeof NOTHING

function add(a: Sum, b: Sum): Sum {
  return { count: a.count + b.count, joined: a.joined + b.joined, amount: addDecimals(a.amount, b.amount) }
}

function subtract(a: Sum, b: Sum): Sum {
  return { count: a.count - b.count, joined: a.joined - b.joined, amount: subtractDecimals(a.amount, b.amount) }
}

/** A currency of which nothing stood and nothing happened is none of the scope. */
function isTold({ start, end, parts }: MomentBridge): boolean {
  return [start, end, ...Object.values(parts)].some(({ count, amount }) => count !== 0 || !isZeroDecimal(amount))
}
