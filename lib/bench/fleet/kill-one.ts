/** kill -9 of one web server and one worker while people read and write and accounts are read. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { compareFigures } from '#lib/ledger/kept/compare-figures.ts'
import type { OwnWeb } from '#lib/world/own-web.ts'
import type { Fleet } from './open-fleet.ts'
import { type Load, putLoad } from './page-load.ts'
import { type Account, waitForRuns } from './sync-waves.ts'

const READERS = 8
const WRITERS = 4
const BEFORE_MS = 4_000
/** As systemd does by the units in docs/deploy. */
const RESTART_AFTER_MS = 2_000
const AFTER_MS = 6_000
const FIRST_LINE_WITHIN_MS = 60_000

/** A comment that was sent: its text, and the status of the answer; null when there was none. */
type Sent = { text: string; status: number | null; at: number }

type Writes = { sent: Sent[]; lost: number; twice: number; unacknowledgedButThere: number }

/** Requests as nginx logged them. `passedOn`: another web server answered when the first died. */
type Logged = { answered: number; passedOn: number; failed: number; failedElsewhere: number; byRestarted: number }

type Runs = {
  accounts: number
  succeeded: number
  takenOver: number
  /** Lines, invoices and profiles that runs report as new, and that are there. */
  inserted: number
  found: number
  /** Lines that are there, and that the platform has. */
  lines: number
  stated: number
  /** Kept figures, of accounts that another worker took over, that differ from their records. */
  wrongFigures: number
}

export type Killed = { load: Load; writes: Writes; logged: Logged; runs: Runs; seconds: number }

/**
 * While the first backfills of these accounts run. @throws CommandError when one does not succeed.
 */
export async function killOne(lifetime: Lifetime, fleet: Fleet, accounts: Account[]): Promise<Killed> {
  const { signal } = lifetime
  const { webs, doors } = fleet
  const workers = [fleet.startWorker('direct'), fleet.startWorker('direct')]
  lifetime.onEnd('Workers', async (isForced) => {
    await Promise.all(workers.map((worker) => worker.stop(isForced)))
  })
  const door = doors.direct.all
  const load = putLoad(door.url, { cookies: fleet.cookies, connections: READERS, seconds: 600 })
  const isOver = new AbortController()
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, at) => write(fleet, at, isOver.signal)))
  const begun = performance.now()
  await waitForLines(accounts, signal)
  await delay(BEFORE_MS, undefined, { signal })
  const [victim, worker] = [webs[1] as OwnWeb, workers[0]]
  process.kill(victim.pid, 'SIGKILL')
  process.kill(worker?.pid as number, 'SIGKILL')
  await delay(RESTART_AFTER_MS, undefined, { signal })
  const [restarted] = await Promise.all([fleet.restartWeb(victim.port), workers.push(fleet.startWorker('direct'))])
  const restartedAt = Date.now()
  await waitForRuns(accounts, signal)
  const seconds = (performance.now() - begun) / 1000
  await delay(Math.max(0, restartedAt + AFTER_MS - Date.now()), undefined, { signal })
  isOver.abort()
  load.stop()
  const sent = (await writing).flat()
  const loaded = await load.ended
  await Promise.all(workers.map((each) => each.stop(false)))
  return {
    load: loaded,
    writes: await findWrites(fleet, sent),
    logged: readLog(door.accessLog, restarted.port, restartedAt),
    runs: await readRuns(fleet, accounts),
    seconds,
  }
}

async function waitForLines(accounts: Account[], signal: AbortSignal): Promise<void> {
  for (
    const deadline = Date.now() + FIRST_LINE_WITHIN_MS;
    Date.now() < deadline;
    await delay(100, undefined, { signal })
  ) {
    const [row] = await withSystemSql((sql) =>
      sql<{ isThere: boolean }>(`select exists (select from line where connection_id = any($1::uuid[])) as "isThere"`, [
        accounts.map(({ connectionId }) => connectionId),
      ]),
    )
    if (row?.isThere) return
  }
  throw new CommandError('No worker wrote a line.')
}

/** Somebody who comments on one line, again and again. */
async function write({ doors, cookies, ledger }: Fleet, writer: number, over: AbortSignal): Promise<Sent[]> {
  const { url } = doors.direct.all
  const headers = {
    cookie: cookies[writer % cookies.length] as string,
    origin: url,
    'content-type': 'application/json',
  }
  const subject = { kind: 'line', key: ledger.lineId, connection: ledger.connectionId }
  const sent: Sent[] = []
  while (!over.aborted) {
    const text = `comment ${sent.length} of writer ${writer}`
    const body = JSON.stringify({ ...subject, text })
    const status = await fetch(`${url}/api/talk`, { method: 'POST', headers, body }).then(
      async (reply) => {
        await reply.arrayBuffer()
        return reply.status
      },
      () => null,
    )
    sent.push({ text, status, at: Date.now() })
    await delay(50)
  }
  return sent
}

async function findWrites({ ledger }: Fleet, sent: Sent[]): Promise<Writes> {
  const rows = await withSystemSql((sql) =>
    sql<{ text: string; times: number }>(
      `select text, count(*)::int as times from message_version where organization_id = $1 group by text`,
      [ledger.organizationId],
    ),
  )
  const times = new Map(rows.map((row) => [row.text, row.times]))
  const of = (text: string) => times.get(text) ?? 0
  return {
    sent,
    lost: sent.filter(({ status, text }) => status === 200 && of(text) === 0).length,
    twice: sent.filter(({ text }) => of(text) > 1).length,
    unacknowledgedButThere: sent.filter(({ status, text }) => status !== 200 && of(text) > 0).length,
  }
}

const LOG_LINE = /^(\S+) \S+ \S+ \S+ (\d+) "([^"]*)" "([^"]*)"/

function readLog(file: string, port: number, restartedAt: number): Logged {
  const requests = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, at = '', status = '', servers = ''] = LOG_LINE.exec(line) ?? []
      return at === '' ? [] : [{ at: Date.parse(at), status: Number(status), servers: servers.split(', ') }]
    })
  const victim = `127.0.0.1:${port}`
  const failed = requests.filter(({ status }) => status >= 500)
  return {
    answered: requests.length - failed.length,
    passedOn: requests.filter(({ status, servers }) => status < 500 && servers.length > 1).length,
    failed: failed.length,
    failedElsewhere: failed.filter(({ servers }) => !servers.includes(victim)).length,
    byRestarted: requests.filter(
      // the log has whole seconds
      ({ at, status, servers }) => at > restartedAt && status < 500 && servers.at(-1) === victim,
    ).length,
  }
}

async function readRuns({ world }: Fleet, accounts: Account[]): Promise<Runs> {
  const ids = [accounts.map(({ connectionId }) => connectionId)]
  const [runs] = await withSystemSql((sql) =>
    sql<Pick<Runs, 'succeeded' | 'takenOver' | 'inserted'>>(
      `select count(*) filter (where status = 'succeeded')::int as succeeded,
         count(*) filter (where fence > 1)::int as "takenOver", sum(inserted)::int as inserted
       from sync_run where connection_id = any($1::uuid[])`,
      ids,
    ),
  )
  const [there] = await withSystemSql((sql) =>
    sql<Pick<Runs, 'lines' | 'found'>>(
      `select lines, (lines + invoices + profiles)::int as found from
         (select count(*)::int as lines from line where connection_id = any($1::uuid[])) l,
         (select count(*) as invoices from invoice where connection_id = any($1::uuid[])) i,
         (select count(*) as profiles from profile where connection_id = any($1::uuid[])) p`,
      ids,
    ),
  )
  const { lineCount } = await world.sandbox.controlTotals('nordlicht')
  const taken = await withSystemSql((sql) =>
    sql<{ id: ConnectionId }>(
      'select distinct connection_id as id from sync_run where connection_id = any($1::uuid[]) and fence > 1',
      ids,
    ),
  )
  let wrongFigures = 0
  for (const each of accounts.filter(({ connectionId }) => taken.some(({ id }) => id === connectionId)))
    wrongFigures += (await compareFigures(each.organizationId, each.connectionId)).length
  return {
    ...(runs as Pick<Runs, 'succeeded' | 'takenOver' | 'inserted'>),
    accounts: accounts.length,
    ...(there as Pick<Runs, 'lines' | 'found'>),
    stated: lineCount * accounts.length,
    wrongFigures,
  }
}
