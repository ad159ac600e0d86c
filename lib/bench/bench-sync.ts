/**
 * `npm run bench -- sync [--lines 1000000] [--rounds 5]`: P1, P2, P6, P13 and P16 of the sync,
 * beside COPY of the same rows.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { lastLinesOf } from '#lib/cli/processes/log-file.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { formatDuration, say } from '#lib/cli/run/terminal.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { copyFromFile, copyToFile } from '#lib/db/copy-file.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { vacuum } from '#lib/db/vacuum.ts'
import { noteInvoiceWords } from '#lib/ledger/kept/invoice-words/note-invoice-words.ts'
import { type ProvableLine, proveLine } from '#lib/reconcile/line-proof.ts'
import { createGeneratedLedger } from '#lib/sandbox/data/generated.ts'
import type { SyncKind } from '#lib/sync/model.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf, readCpuTicks, readResidentBytes, TICKS_PER_SECOND } from '#lib/world/process-figures.ts'
import { findPsql, writeReport } from './bench-report.ts'
import { timeOf } from './desk/desk-answers.ts'

const ACCOUNT = 'nordlicht'
const PAGE_SIZE = 50
/** Enough for a million lines. */
const KEPT_PAGE_BYTES = 2 ** 30
/** The tables that a backfill fills. */
const FILLED = [
  'line',
  'line_payload',
  'line_touch',
  'invoice',
  'invoice_rollup',
  'trip_rollup',
  'known_page',
  'sync_page',
]
/** How many lines to prove for the separate timing. */
const PROVED_LINES = 100_000

/**
 * One sync: its time by the database's clock, its calls to the platform, its WAL, its worker's peak
 * memory.
 */
type SyncFigures = {
  seconds: number
  received: number
  calls: number
  walBytes: number
  peakBytes: number
  halfwayBytes: number
  /** Processor seconds. */
  cpu: { sandbox: number; worker: number; postgres: number }
}
type Round = {
  backfill: SyncFigures
  verification: SyncFigures
  incremental: SyncFigures
  changes: SyncFigures
  copySeconds: number
  /** The notes for the search of a text, which the worker makes when a run has ended. */
  notesSeconds: number
}

/** @throws CommandError when the ledger, the copy and the platform's own totals are not equal. */
export async function benchSync(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, rounds: { type: 'string' } } })
  const [lines, rounds] = [Number(values.lines ?? 1_000_000), Number(values.rounds ?? 5)]
  if (!(lines >= 1000 && rounds >= 1))
    throw new CommandError('Usage: npm run bench -- sync [--lines 1000000] [--rounds 5]')
  const size = { kind: 'huge', lines } as const
  const options = { account: ACCOUNT, size, keptPageBytes: KEPT_PAGE_BYTES, pageSize: PAGE_SIZE, workerFlags: [] }
  const world = await openOwnWorld(lifetime, options)
  const expected = await readUpstream(world, lines)
  const measured: Round[] = []
  let proofMicros = 0
  say('Warming up: the sandbox renders its pages')
  await measureSync(world, lifetime, 'backfill', await firstRun(world))
  await measureSync(world, lifetime, 'incremental')
  await measureSync(world, lifetime, 'changes')
  requireEqual('the ledger', await readLedger('line'), expected)
  for (let round = 1; round <= rounds; round++) {
    lifetime.signal.throwIfAborted()
    const runId = await startOver(world)
    say(`Round ${round} of ${rounds}`)
    const backfill = await measureSync(world, lifetime, 'backfill', runId)
    requireEqual('the ledger', await readLedger('line'), expected)
    // otherwise PostgreSQL would vacuum while the next clock runs
    for (const table of FILLED) await vacuum(table)
    // otherwise the worker would do so while the next clock runs
    const notesSeconds = (await timeOf(() => noteInvoiceWords(world))) / 1000
    const verification = await measureSync(world, lifetime, 'verification')
    const incremental = await measureSync(world, lifetime, 'incremental')
    const changes = await measureSync(world, lifetime, 'changes')
    requireEqual('the ledger after the second reading', await readLedger('line'), expected)
    const copySeconds = await measureCopy(world)
    requireEqual('the copy', await readLedger('line_copy'), expected)
    // otherwise PostgreSQL would vacuum it while the next round's clocks run
    await withSystemSql((sql) => sql('drop table line_copy'))
    if (round === 1) proofMicros = await measureProof()
    measured.push({ backfill, verification, incremental, changes, copySeconds, notesSeconds })
  }
  report(lines, measured, proofMicros)
}

async function firstRun({ connectionId }: OwnWorld): Promise<string> {
  const [run] = await withSystemSql((sql) =>
    sql<{ id: string }>('select id from sync_run where connection_id = $1', [connectionId]),
  )
  return (run as { id: string }).id
}

/** Empties the ledger and requests a new backfill. */
async function startOver(world: OwnWorld): Promise<string> {
  await withSystemSql(async (sql) => {
    await sql(
      'truncate line, line_payload, invoice, profile, line_version, invoice_version, rejected_line, interface_drift, sync_page, sync_window',
    )
  })
  return ask(world, 'backfill')
}

async function ask({ organizationId, connectionId }: OwnWorld, kind: SyncKind): Promise<string> {
  const { runId } = await requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: null, kind })
  return runId
}

/** Runs a sync in a new worker process. */
async function measureSync(world: OwnWorld, lifetime: Lifetime, kind: SyncKind, queued?: string): Promise<SyncFigures> {
  const runId = queued ?? (await ask(world, kind))
  const walBefore = await readWalPosition()
  const { calls } = world.sandbox.state()
  calls.clear()
  const worker = world.startWorker()
  const memory: number[] = []
  const sandboxBefore = process.cpuUsage()
  const postgresBefore = await readPostgresTicks()
  try {
    for (;;) {
      await delay(500, undefined, { signal: lifetime.signal })
      const resident = readResidentBytes(worker.pid)
      if (resident !== null) memory.push(resident)
      const [run] = await withSystemSql((sql) =>
        sql<{ status: string; seconds: number; received: number; error: string | null }>(
          `select status, extract(epoch from finished_at - started_at)::float as seconds, lines_received as received, error_text as error
           from sync_run where id = $1`,
          [runId],
        ),
      )
      if (run === undefined || run.status === 'failed' || run.status === 'held')
        throw new CommandError(
          `The ${kind} ended as ${run?.status}: ${run?.error}; ${lastLinesOf(join(world.folder, 'worker.log'))}`,
        )
      if (run.status !== 'succeeded') continue
      const { seconds, received } = run
      const walBytes = Number((await readWalPosition()) - walBefore)
      const sandbox = process.cpuUsage(sandboxBefore)
      const postgres = [...(await readPostgresTicks())].map(([pid, ticks]) => ticks - (postgresBefore.get(pid) ?? 0))
      const cpu = {
        sandbox: (sandbox.user + sandbox.system) / 1e6,
        worker: readCpuTicks(worker.pid) / TICKS_PER_SECOND,
        postgres: postgres.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND,
      }
      const callCount = calls.count()
      const speed = `${received} lines in ${callCount} calls, ${formatDuration(seconds * 1000)}, ${Math.round(received / seconds)} lines/s`
      say(`  ${kind}: ${speed}; processor seconds ${JSON.stringify(cpu)}`)
      const [peakBytes, halfwayBytes] = [Math.max(...memory), memory[memory.length >> 1] ?? 0]
      return { seconds, received, calls: callCount, walBytes, peakBytes, halfwayBytes, cpu }
    }
  } finally {
    await worker.stop(false)
  }
}

/** Processor time of PostgreSQL's processes, by process id. */
async function readPostgresTicks(): Promise<Map<number, number>> {
  const rows = await withSystemSql((sql) => sql<{ pid: number }>('select pid from pg_stat_activity'))
  return new Map(rows.map(({ pid }) => [pid, readCpuTicks(pid)]))
}

async function readWalPosition(): Promise<bigint> {
  const [row] = await withSystemSql((sql) =>
    sql<{ at: string }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as at`),
  )
  return BigInt((row as { at: string }).at)
}

/**
 * The peer: the same rows from a file into a table with the same columns and a key, by `psql
 * \\copy` or else the driver's COPY.
 */
async function measureCopy(world: OwnWorld): Promise<number> {
  const file = join(world.folder, 'lines.copy')
  await withSystemSql(async (sql) => {
    // json: PostgreSQL checks each record here, which is the worker's task in a backfill
    await sql('create table line_copy (like line, raw json not null)')
    await sql('alter table line_copy add primary key (organization_id, connection_id, id)')
    await copyToFile(
      sql,
      `select l.*, p.raw from line l join line_payload p
       on p.organization_id = l.organization_id and p.connection_id = l.connection_id and p.line_id = l.id`,
      file,
    )
  })
  const start = performance.now()
  if (findPsql() !== null)
    execFileSync('psql', [
      '-q',
      '-X',
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      `\\copy line_copy from '${file}'`,
      world.databaseUrl,
    ])
  else await withSystemSql((sql) => copyFromFile(sql, 'line_copy', file))
  const seconds = (performance.now() - start) / 1000
  say(`  copy: ${formatDuration(seconds * 1000)}`)
  return seconds
}

/** Microseconds to prove one line, timed alone on lines of the ledger. */
async function measureProof(): Promise<number> {
  const lines = await withSystemSql((sql) =>
    sql<ProvableLine>(
      `select quantity::text, unit_price::text as "unitPrice", non_taxable_unit_price::text as "nonTaxableUnitPrice",
              tax_percentage::text as "taxPercentage", tax_amount::text as "taxAmount", total_amount::text as "totalAmount", currency
       from line limit ${PROVED_LINES}`,
    ),
  )
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    for (const line of lines) proveLine(line)
    return ((performance.now() - start) * 1000) / lines.length
  })
  return medianOf(times)
}

/** What must be equal: line count, totals per currency, and a hash over the ids in order. */
type Contents = { lines: number; totals: Record<string, string>; idHash: string }

async function readLedger(table: 'line' | 'line_copy'): Promise<Contents> {
  return withSystemSql(async (sql) => {
    const totals = await sql<{ currency: string; total: string; lines: number }>(
      `select currency, trim_scale(sum(total_amount))::text as total, count(*)::int as lines from ${table} group by currency order by currency`,
    )
    const [hash] = await sql<{ value: string }>(
      `select md5(string_agg(id, ',' order by id collate "C")) as value from ${table}`,
    )
    return {
      lines: totals.reduce((sum, { lines }) => sum + lines, 0),
      totals: Object.fromEntries(totals.map(({ currency, total }) => [currency, total])),
      idHash: (hash as { value: string }).value,
    }
  })
}

/** From the sandbox's own arithmetic, which shares nothing with the ledger's. */
async function readUpstream({ sandbox }: OwnWorld, lines: number): Promise<Contents> {
  const { lineCount, currencies } = await sandbox.controlTotals(ACCOUNT)
  const ledger = createGeneratedLedger(lines, sandbox.settings.seed)
  const hash = createHash('md5')
  // generated ids sort as text: their numbers have leading zeros
  for (let at = 0; at < lines; at++) hash.update(`${at === 0 ? '' : ','}${ledger.lineId(at)}`)
  const totals = currencies
    .map(({ currency, totalAmount }) => [currency, trimScale(totalAmount)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return { lines: lineCount, totals: Object.fromEntries(totals), idHash: hash.digest('hex') }
}

function trimScale(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}

function requireEqual(what: string, found: Contents, expected: Contents): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  throw new CommandError(
    `${what} is not what the platform has: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`,
  )
}

function report(lines: number, rounds: Round[], proofMicros: number): void {
  const median = (pick: (round: Round) => number) => medianOf(rounds.map(pick))
  const times = (value: number) => `${value.toFixed(2)}x`
  const share = (value: number) => `${(value * 100).toFixed(2)} %`
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  const perSecond = (rows: number) => `${Math.round(rows).toLocaleString('en-US')} rows/s`

  const backfill = median((round) => round.backfill.seconds)
  const copy = median((round) => round.copySeconds)
  const ingest = median((round) => round.copySeconds / round.backfill.seconds)
  const resync = median((round) => round.backfill.seconds / round.verification.seconds)
  const hourly = median((round) => round.backfill.seconds / round.changes.seconds)
  const daily = median((round) => round.backfill.seconds / round.incremental.seconds)
  const counted = (pick: (round: Round) => number) => median(pick).toLocaleString('en-US')
  const hourlyCalls = Math.max(...rounds.map((round) => round.changes.calls))
  const wal = median((round) => round.verification.walBytes / round.backfill.walBytes)
  const proof = (proofMicros * lines) / 1e6 / backfill
  const peak = Math.max(...rounds.map((round) => round.backfill.peakBytes))
  const growth = median((round) => round.backfill.peakBytes - round.backfill.halfwayBytes)
  const copied = findPsql() === null ? 'COPY through the driver (no psql here)' : '`psql \\copy`'
  writeReport({
    subject: 'sync',
    data: { lines, pageSize: PAGE_SIZE, proofMicros, rounds },
    figures: [
      {
        goal: 'P1',
        what: `backfill end to end, against ${copied} of the same rows`,
        measured: `${times(ingest)} (${perSecond(lines / backfill)} against ${perSecond(lines / copy)})`,
        target: '>= 0.36x',
        isMet: ingest >= 0.36,
      },
      {
        goal: '–',
        what: 'notes for the search of a text, which follow a backfill',
        measured: formatDuration(median((round) => round.notesSeconds) * 1000),
        target: '–',
        isMet: null,
      },
      {
        goal: 'P2',
        what: 'verification of all rows, unchanged, over HTTP, against the backfill',
        measured: `${times(resync)} (${perSecond(lines / median((round) => round.verification.seconds))})`,
        target: '>= 10x',
        isMet: resync >= 10,
      },
      {
        goal: 'P2',
        what: 'the hourly sync of the same account, unchanged, against the backfill',
        measured: `${times(hourly)} (${counted((round) => round.changes.received)} lines read again)`,
        target: '–',
        isMet: null,
      },
      {
        goal: 'P2',
        what: 'the daily sync, which reads all recent lines again',
        measured: `${times(daily)} (${counted((round) => round.incremental.received)} lines in ${counted((round) => round.incremental.calls)} calls)`,
        target: '–',
        isMet: null,
      },
      {
        goal: 'P16',
        what: 'calls to the platform of the hourly sync, unchanged, the most of all rounds',
        measured: String(hourlyCalls),
        target: '<= 120',
        isMet: hourlyCalls <= 120,
      },
      {
        goal: 'P2',
        what: 'WAL of the verification, against that of the backfill',
        measured: share(wal),
        target: '<= 2 %',
        isMet: wal <= 0.02,
      },
      {
        goal: 'P6',
        what: `decimal checks (${proofMicros.toFixed(2)} µs a line), share of the backfill's time`,
        measured: share(proof),
        target: '<= 20 %',
        isMet: proof <= 0.2,
      },
      {
        goal: 'P13',
        what: 'resident memory of the worker, highest of all backfills',
        measured: megabytes(peak),
        target: '<= 250 MB',
        isMet: peak <= 250 * 2 ** 20,
      },
      {
        goal: 'P13',
        what: 'its highest above that of halfway through',
        measured: megabytes(growth),
        target: 'flat',
        isMet: growth <= 32 * 2 ** 20,
      },
    ],
    notes: [
      `${lines.toLocaleString('en-US')} lines at ${PAGE_SIZE} a page, medians of ${rounds.length} rounds of backfill, verification, daily and hourly sync, COPY in turn; PostgreSQL with the settings of Tieout's own server (lib/db/server-settings.ts), for both.`,
      'The table that COPY fills has a key and no other index, no roll-ups, and the record as json, which PostgreSQL checks as the worker does.',
      'Sandbox, worker and PostgreSQL share the cores; COPY has them to itself. The sandbox has rendered and compressed its pages before a clock runs.',
      'A verification finds most pages to be known byte for byte and does not open them (docs/decisions/010-known-pages.md); every byte of the account is received and compared.',
      'After the backfill the tables that it fills are vacuumed, as PostgreSQL does by itself a little later: that WAL is of neither sync.',
      'Before a time counts: number of lines, totals per currency and a hash of the ids are equal in ledger, copy and sandbox.',
    ],
  })
}
