/** What decisions cost a sync that changes every line of an account. */
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { toFoundBeside, toSeenHash } from '#lib/ledger/review/review-columns.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { toMs } from './desk/desk-answers.ts'

const ROUNDS = 3

/** Seconds of each sync, with nine tenths of the lines decided and with none, in turns. */
export type SyncTimes = { lines: number; decided: number[]; undecided: number[]; writtenUnchanged: number }

/**
 * Every line is another one here than on the platform, and nine tenths were accepted as they are
 * here: the sync changes all and lets as many decisions fall. Then a sync that changes nothing.
 * @throws CommandError when a sync fails, or lets fewer decisions fall.
 */
export async function timeDecidedSyncs(lifetime: Lifetime, lines: number): Promise<SyncTimes> {
  const size = { kind: 'huge', lines } as const
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', size, pageSize: 50, workerFlags: [] })
  const worker = world.startWorker()
  await readToEnd(world, 'backfill')
  const times: SyncTimes = { lines, decided: [], undecided: [], writtenUnchanged: 0 }
  for (let round = 0; round < ROUNDS; round++)
    for (const side of round % 2 === 0 ? (['decided', 'undecided'] as const) : (['undecided', 'decided'] as const)) {
      await changeAll()
      await decideMost(side === 'decided')
      const seconds = await readToEnd(world, 'verification')
      times[side].push(seconds)
      const fallen = await countFallen()
      say(`  a sync that changes ${lines} lines, ${side}: ${toMs(seconds * 1000)}, ${fallen} decisions fell`)
      if (side === 'decided' && fallen < 0.89 * lines) throw new CommandError(`Only ${fallen} decisions fell.`)
    }
  const before = await countWritten()
  await readToEnd(world, 'verification')
  times.writtenUnchanged = (await countWritten()) - before
  await worker.stop(false)
  return times
}

async function readToEnd(
  { organizationId, connectionId }: OwnWorld,
  kind: 'backfill' | 'verification',
): Promise<number> {
  if (kind === 'verification')
    await requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: null, kind })
  for (;;) {
    await delay(200)
    const [run] = await withSystemSql((sql) =>
      sql<{ status: string; seconds: number }>(
        `select status, extract(epoch from finished_at - started_at)::float as seconds from sync_run order by requested_at desc limit 1`,
      ),
    )
    if (run?.status === 'succeeded') return run.seconds
    if (run?.status === 'failed' || run?.status === 'held')
      throw new CommandError(`The ${kind} ended as ${run.status}.`)
  }
}

/** As if the platform had said something else; nothing that was decided falls by it. */
async function changeAll(): Promise<void> {
  await withSystemSql(async (sql) => {
    await sql('delete from line_review')
    await sql('delete from known_page')
    await sql(
      `update line set total_amount = total_amount + 0.01, content_hash = md5(content_hash), text_hash = sha256(text_hash)`,
    )
    await sql(`update line_payload set raw = '{}'`)
  })
  for (const table of ['line', 'line_payload', 'line_review']) await withSystemSql((sql) => sql(`analyze ${table}`))
}

async function decideMost(isDecided: boolean): Promise<void> {
  if (!isDecided) return
  await withSystemSql((sql) =>
    sql(
      `insert into line_review (organization_id, connection_id, line_id, state, decision, seen_hash, currency, amount)
       select l.organization_id, l.connection_id, l.id, 'accepted', 1, ${toSeenHash('l', toFoundBeside('l'))}, l.currency, l.total_amount
       from line l where hashtext(l.id) % 10 <> 0`,
    ),
  )
  // as the worker does that applies so many
  await withSystemSql((sql) => sql('select refresh_review_statistics()'))
}

async function countFallen(): Promise<number> {
  const [row] = await withSystemSql((sql) =>
    sql<{ count: number }>(`select count(*)::int as count from line_review where state = 'suspended'`),
  )
  return row?.count ?? 0
}

/** Rows that were ever written into the tables of decisions. */
async function countWritten(): Promise<number> {
  await withSystemSql((sql) => sql('select pg_stat_force_next_flush()'))
  const [row] = await withSystemSql((sql) =>
    sql<{ count: number }>(
      `select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as count from pg_stat_user_tables
       where relname like 'decision%' or relname like '%_review' or relname = 'line_fall'`,
    ),
  )
  return row?.count ?? 0
}
