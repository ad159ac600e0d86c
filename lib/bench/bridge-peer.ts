/** Bridges between two moments beside DuckDB, which compares every line and past of both. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { readMoments } from '#lib/ledger/history/moments.ts'
import { parseMomentQuery } from '#lib/ledger/query/moments/moment-query.ts'
import { compareDecimals, type DecimalText } from '#lib/reconcile/money.ts'
import { timeOf } from './desk/desk-answers.ts'
import { askDuckDb, type DuckColumn, loadDuckTable } from './desk/desk-peer.ts'

const THEN: DuckColumn[] = [
  { name: 'connection_id', type: 'VARCHAR' },
  { name: 'line_id', type: 'VARCHAR', sql: 'id' },
  { name: 'is_gone', type: 'BOOLEAN', sql: 'missing_since is not null' },
  { name: 'currency', type: 'VARCHAR' },
  { name: 'total_amount', type: 'DECIMAL(18, 4)' },
  { name: 'issuing_date', type: 'DATE' },
  { name: 'expense_date', type: 'DATE' },
  { name: 'profile_id', type: 'VARCHAR' },
  { name: 'cost_center', type: 'VARCHAR' },
  { name: 'trip_id', type: 'VARCHAR' },
]
const toUtc = (column: string) => `${column} at time zone 'UTC'`
const SEEN: DuckColumn = { name: 'first_seen_at', type: 'TIMESTAMP', sql: toUtc('first_seen_at') }
const OF_PAST: DuckColumn[] = [
  ...THEN.map(({ name, type }) => ({ name, type })),
  { name: 'id', type: 'BIGINT' },
  { name: 'until', type: 'TIMESTAMP', sql: toUtc('until') },
]

/** Tables `line` and `line_past` of an organization in memory, two threads. */
export async function openBridgePeer(organizationId: OrganizationId, folder: string): Promise<DuckDBConnection> {
  const duck = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  // an id of ours, which openOwnWorld made
  const of = (table: string) => `from ${table} where organization_id = '${organizationId}'`
  await loadDuckTable(duck, 'line', [...THEN, SEEN], of('line'), folder)
  await loadDuckTable(duck, 'line_past', OF_PAST, of('line_past'), folder)
  return duck
}

/** An address of a bridge; `where`: the same scope in the peer's SQL. */
export type BridgeQuestion = { name: string; search: Record<string, string>; where: string }
export type BridgeTimes = { name: string; ours: number[]; duck: number[] }

/**
 * The ledger's answer and the peer's in turns. The peer adds up what stood at both moments, and
 * does not say why it changed.
 * @throws CommandError when they differ.
 */
export async function compareBridges(
  organizationId: OrganizationId,
  duck: DuckDBConnection,
  { name, search, where }: BridgeQuestion,
  rounds: number,
): Promise<BridgeTimes> {
  const { from, ...query } = parseMomentQuery(search, { timeZone: 'UTC' })
  if (from === null) throw new CommandError(`"${name}" has no beginning.`)
  const ask = () => readMoments(organizationId, { ...query, from })
  const [start, end] = [toDuckSql(from, where), toDuckSql(query.to, where)]
  const { bridges } = await ask()
  for (const [side, sql] of [['start', start] as const, ['end', end] as const]) {
    const rows = (await askDuckDb(duck, sql)) as [currency: string, count: string, total: DecimalText][]
    for (const [currency, count, total] of rows) {
      const own = bridges.find((bridge) => bridge.currency === currency)?.[side]
      if (own === undefined || own.count !== Number(count) || compareDecimals(own.amount, total) !== 0)
        throw new CommandError(
          `"${name}" stood at ${own?.amount} ${currency} of ${own?.count} at the ${side}; DuckDB says ${total} of ${count}.`,
        )
    }
  }
  const times: BridgeTimes = { name, ours: [], duck: [] }
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timeOf(ask))
    times.duck.push(
      await timeOf(async () => {
        await askDuckDb(duck, start)
        await askDuckDb(duck, end)
      }),
    )
  }
  return times
}

/** What stood at a moment, by currency: the first past that is until later, or else the line. */
function toDuckSql(at: string | null, where: string): string {
  const columns = THEN.slice(2).map(({ name }) => name)
  const stood =
    at === null
      ? 'select * from line'
      : `select ${columns.map((name) => `case when p.line_id is null then l.${name} else p.${name} end as ${name}`).join(', ')}
         from line l left join (
           select * from line_past where until > timestamp '${at.slice(0, -1)}'
           qualify row_number() over (partition by connection_id, line_id order by id) = 1) p using (connection_id, line_id)
         where l.first_seen_at <= timestamp '${at.slice(0, -1)}'`
  return `select currency, count(*), sum(total_amount)::varchar from (${stood}) stood where not is_gone and ${where} group by currency`
}
