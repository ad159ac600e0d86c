/**
 * `npm run bench -- fleet [--seconds 8] [--rounds 2]`: pages behind nginx from one and three web
 * servers, syncs of 40 organizations by one, two and four workers, both with and without pgbouncer,
 * and kill -9 of one of each under load. Needs Debian's nginx and pgbouncer.
 */
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { rowsOf, writeReport } from './bench-report.ts'
import { percentile95, timePages } from './desk/desk-pages.ts'
import { type Killed, killOne } from './fleet/kill-one.ts'
import { ACCOUNT_LINES, type Fleet, openFleet, WAYS, type Way, WEB_SERVERS } from './fleet/open-fleet.ts'
import { LOADED_PAGES, type Load, putLoad, toRate } from './fleet/page-load.ts'
import { toRunRows } from './fleet/read-runs.ts'
import { type Account, addAccounts, timeWave } from './fleet/sync-waves.ts'

const USAGE = 'Usage: npm run bench -- fleet [--seconds 8] [--rounds 2]'
const LINES = 100_000
const ORGANIZATIONS = 40
const READERS = 8
const WARM_UP_SECONDS = 3
const WORKERS = [1, 2, 4] as const
/** The hourly sync of an account in which nothing changed, and one that reads everything. */
const KINDS = ['changes', 'verification'] as const

/** `transactions`: those that the database committed meanwhile. */
type Pages = { way: Way; webs: number; loads: Load[]; transactions: number }
type Syncs = { way: Way; workers: number; seconds: Record<(typeof KINDS)[number], number[]> }

/** @throws CommandError when a program is missing, an answer is no page, or a sync fails. */
export async function benchFleet(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string' }, rounds: { type: 'string' } } })
  const [seconds, rounds] = [Number(values.seconds ?? 8), Number(values.rounds ?? 2)]
  if (!(seconds >= 1 && rounds >= 1)) throw new CommandError(USAGE)
  const fleet = await openFleet(lifetime, LINES)
  const pages = await loadPages(fleet, seconds, rounds)
  say(`  ${ORGANIZATIONS} organizations connect an account, and one of each process is killed`)
  const accounts = await addAccounts(fleet.world, ORGANIZATIONS)
  const killed = await killOne(lifetime, fleet, accounts)
  const syncs = await timeSyncs(fleet, accounts, rounds, lifetime.signal)
  report({ seconds, rounds, pages, killed, syncs })
}

async function loadPages({ doors, cookies }: Fleet, seconds: number, rounds: number): Promise<Pages[]> {
  const pages: Pages[] = WAYS.flatMap((way) =>
    [1, WEB_SERVERS].map((webs) => ({ way, webs, loads: [], transactions: 0 })),
  )
  const urlOf = ({ way, webs }: Pages) => doors[way][webs === 1 ? 'one' : 'all'].url
  const listed = LOADED_PAGES.map((address) => ({ name: address, address }))
  // each page is the page, and every server has made each a few times
  for (const each of pages) {
    await timePages(urlOf(each), cookies[0] as string, listed, WEB_SERVERS)
    await putLoad(urlOf(each), { cookies, connections: READERS, seconds: WARM_UP_SECONDS }).ended
  }
  for (let round = 0; round < rounds; round++)
    for (const each of round % 2 === 0 ? pages : pages.toReversed()) {
      const before = await countTransactions()
      const load = await putLoad(urlOf(each), { cookies, connections: READERS, seconds }).ended
      each.transactions += (await countTransactions()) - before
      if (load.broken > 0 || Object.keys(load.refused).length > 0)
        throw new CommandError(`Pages failed: ${load.broken} broken off, ${JSON.stringify(load.refused)}.`)
      if (load.times.length === 0) throw new CommandError(`No page was answered in ${seconds} s: say more --seconds.`)
      each.loads.push(load)
      say(`  ${nameOf(each)}: ${toRate(load).toFixed(1)} pages a second, p95 ${percentile95(load.times).toFixed(0)} ms`)
    }
  return pages
}

async function countTransactions(): Promise<number> {
  const [row] = await withSystemSql((sql) =>
    sql<{ count: number }>(
      'select xact_commit::float8 as count from pg_stat_database where datname = current_database()',
    ),
  )
  return row?.count ?? 0
}

async function timeSyncs(fleet: Fleet, accounts: Account[], rounds: number, signal: AbortSignal): Promise<Syncs[]> {
  const syncs: Syncs[] = WAYS.flatMap((way) =>
    WORKERS.map((workers) => ({ way, workers, seconds: { changes: [], verification: [] } })),
  )
  for (let round = 0; round < rounds; round++)
    for (const each of round % 2 === 0 ? syncs : syncs.toReversed()) {
      const workers = Array.from({ length: each.workers }, () => fleet.startWorker(each.way))
      try {
        // after one more sync every worker has begun
        await timeWave(accounts, 'changes', signal)
        for (const kind of KINDS) each.seconds[kind].push(await timeWave(accounts, kind, signal))
      } finally {
        await Promise.all(workers.map((worker) => worker.stop(false)))
      }
      const figures = KINDS.map((kind) => `${kind} ${toMinute(each, kind).toFixed(0)}`)
      say(`  ${each.workers} workers, ${each.way}: syncs a minute: ${figures.join(', ')}`)
    }
  return syncs
}

const toMinute = ({ seconds }: Syncs, kind: (typeof KINDS)[number]) => (ORGANIZATIONS * 60) / medianOf(seconds[kind])
const nameOf = ({ way, webs }: Pages) => `${webs} web server${webs === 1 ? '' : 's'}, ${way}`

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)

type Measured = { seconds: number; rounds: number; pages: Pages[]; killed: Killed; syncs: Syncs[] }

function report({ seconds, rounds, pages, killed, syncs }: Measured): void {
  const row = rowsOf('fleet')
  const rateOf = ({ loads }: Pages) => medianOf(loads.map(toRate))
  const p95Of = ({ loads }: Pages) => percentile95(loads.flatMap(({ times }) => times))
  const [firstPages, firstSyncs] = [pages[0] as Pages, syncs[0] as Syncs]
  const { writes, logged, runs, load } = killed
  const acknowledged = writes.sent.filter(({ status }) => status === 200).length
  const unanswered = writes.sent.length - acknowledged
  const failedReadings = load.broken + sum(Object.values(load.refused))
  writeReport({
    subject: 'fleet',
    data: { seconds, rounds, pages, killed, syncs },
    figures: [
      ...pages.map((each) =>
        row(
          `${nameOf(each)}: pages of ${READERS} readers`,
          `${rateOf(each).toFixed(1)}/s, ${(rateOf(each) / rateOf(firstPages)).toFixed(2)}x; p95 ${p95Of(each).toFixed(0)} ms, ${(p95Of(each) / p95Of(firstPages)).toFixed(2)}x`,
        ),
      ),
      row(
        'transactions of the database for a page',
        `${(sum(pages.map(({ transactions }) => transactions)) / sum(pages.flatMap(({ loads }) => loads.map(({ times }) => times.length)))).toFixed(1)}`,
      ),
      ...KINDS.flatMap((kind) =>
        syncs.map((each) =>
          row(
            `${each.workers} worker${each.workers === 1 ? '' : 's'}, ${each.way}: syncs of ${kind === 'changes' ? 'changes' : 'everything'}`,
            `${toMinute(each, kind).toFixed(0)} a minute, ${(toMinute(each, kind) / toMinute(firstSyncs, kind)).toFixed(2)}x`,
          ),
        ),
      ),
      row(
        'kill -9 under load: comments that were acknowledged and are not there',
        `${writes.lost} of ${acknowledged}`,
        '0',
        writes.lost === 0,
      ),
      row('comments that are there twice', `${writes.twice}`, '0', writes.twice === 0),
      row(
        'comments without an acknowledgement, of which are there',
        `${unanswered}, ${writes.unacknowledgedButThere}`,
        '<= those who write at once',
        unanswered <= 4,
      ),
      row(
        'requests that nginx answered with an error, of which the killed web server had not had',
        `${logged.failed}, ${logged.failedElsewhere}`,
        '0 of others',
        logged.failedElsewhere === 0,
      ),
      row('readings that another web server answered in its place', `${logged.passedOn}`),
      row(
        'readings that failed or broke off',
        `${failedReadings} of ${load.times.length + failedReadings}`,
        '<= those that read at once',
        failedReadings <= 8,
      ),
      row('requests that it answered after its restart', `${logged.byRestarted}`, '> 0', logged.byRestarted > 0),
      row(
        `first backfills of ${runs.accounts} organizations that succeeded, of which another worker took over`,
        `${runs.succeeded}, ${runs.takenOver} (${killed.seconds.toFixed(0)} s)`,
        'all',
        runs.succeeded === runs.accounts,
      ),
      ...toRunRows(row, runs, 'accounts that were taken over'),
    ],
    notes: [
      `Two cores for everything: web servers, workers, PostgreSQL, nginx, pgbouncer, the platform and who asks. One web server and PostgreSQL use them up, so more processes share what there is: the figures show what several cost, and not what several machines give. docs/scale.md calculates that.`,
      `Pages: overview, lines, invoices, groups and close of ${LINES.toLocaleString('en')} lines, in turn, by ${READERS} connections of four signed-in people; ${rounds} rounds of ${seconds} seconds in turns, median; p95 of all answers. Each page was compared whole before.`,
      `Syncs: ${ORGANIZATIONS} organizations with ${ACCOUNT_LINES.toLocaleString('en')} lines each, asked for at once, nothing changed; median of ${rounds} waves, in turns. A worker reads four accounts at a time. The platform has no budget here; with the usual 10 calls a second it, and not the worker, is what limits.`,
      'pgbouncer: transaction pooling with docs/deploy/pgbouncer.ini; nginx: docs/deploy/nginx.conf. Without statements that are prepared by name each transaction is parsed anew.',
      'kill -9: of one of three web servers and one of two workers at the same moment, while eight connections read pages, four people comment and all organizations are read for the first time; both are started again after two seconds, as systemd would. A reading whose answer had not begun goes to another web server; a change never does.',
    ],
  })
}
