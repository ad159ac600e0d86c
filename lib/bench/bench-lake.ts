/**
 * `npm run bench -- lake [--lines 1000000] [--rounds 3]`: the lake of a large ledger, read by
 * DuckDB, beside DuckDB's own COPY of the same lines from the product's CSV.
 */
import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { openFolderStore } from '#lib/export/lake/folder-store.ts'
import { LAKE_TABLES } from '#lib/export/lake/lake-columns.ts'
import { type LakeReport, writeLake } from '#lib/export/lake/write-lake.ts'
import { CSV_FILES } from '#lib/export/stream-csv.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { fillLedger } from '#lib/world/fill-ledger.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { writeReport } from './bench-report.ts'
import { type Duck, openDuck } from './lake-duck.ts'

const USAGE = 'Usage: npm run bench -- lake [--lines 1000000] [--rounds 3]'
const SAMPLE_MS = 100
const MEGABYTE = 2 ** 20

type Written = { seconds: number; peakMb: number; report: LakeReport }
type Peer = { csv: number; copy: number }

/** @throws CommandError when DuckDB finds anything else in the lake than the database has. */
export async function benchLake(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, rounds: { type: 'string' } } })
  const [lines, rounds] = [Number(values.lines ?? 1_000_000), Number(values.rounds ?? 3)]
  if (!(lines >= 1000 && rounds >= 1)) throw new CommandError(USAGE)
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  say(`  ${lines} lines are made`)
  await fillLedger(world, lines)
  const duck = await openDuck()
  const root = join(world.folder, 'lake')
  const full: Written[] = []
  const peers: Peer[] = []
  for (let round = 1; round <= rounds; round++) {
    rmSync(root, { recursive: true, force: true })
    full.push(await write(world, root))
    peers.push(await copyByDuckDb(world, duck))
    say(`Round ${round} of ${rounds}: ours ${full.at(-1)?.seconds.toFixed(1)} s, ${JSON.stringify(peers.at(-1))}`)
  }
  const equal = await compareWithLedger(world, duck, root)
  const again = await write(world, root)
  await changeOneLine(world)
  const changed = await write(world, root)
  await compareWithLedger(world, duck, root)
  report({ lines, rounds, full, peers, equal, again, changed })
}

async function write({ organizationId }: OwnWorld, root: string): Promise<Written> {
  const store = openFolderStore(root)
  const actor = { kind: 'operator', name: 'npm run bench' } as const
  const before = process.memoryUsage().rss
  let peak = before
  const sample = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, SAMPLE_MS)
  const begin = performance.now()
  const owner = { id: organizationId, name: 'bench' }
  const report = await writeLake(owner, { store, actor, signal: new AbortController().signal })
  clearInterval(sample)
  return { seconds: (performance.now() - begin) / 1000, peakMb: Math.round((peak - before) / MEGABYTE), report }
}

/** The file of all lines, and from it Parquet by months, with the types of ours. */
async function copyByDuckDb({ organizationId, userId, folder }: OwnWorld, duck: Duck): Promise<Peer> {
  const [file, target] = [join(folder, 'lines.csv'), join(folder, 'peer')]
  const begin = performance.now()
  const reader = { userId, signal: new AbortController().signal }
  const stream = await CSV_FILES.lines.stream(organizationId, reader, DEFAULT_LINE_QUERY)
  await pipeline(Readable.fromWeb(stream as ReadableStream), createWriteStream(file))
  const read = performance.now()
  const types = { text: 'VARCHAR', decimal: 'DECIMAL(38, 18)', day: 'DATE', count: 'BIGINT', boolean: 'BOOLEAN' }
  const selected = LAKE_TABLES.lines.columns.map(
    ({ name, type }) => `${name}::${type === 'moment' ? 'TIMESTAMP' : types[type]} as ${name}`,
  )
  await duck.ask(
    `copy (select ${selected.join(', ')}, expense_date[1:7] as month
       from read_csv('${file}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"'))
     to '${target}' (format parquet, partition_by (month), overwrite_or_ignore)`,
  )
  const end = performance.now()
  for (const path of [file, target]) if (existsSync(path)) rmSync(path, { recursive: true })
  return { csv: (read - begin) / 1000, copy: (end - read) / 1000 }
}

/** @throws CommandError naming the first difference. */
async function compareWithLedger({ organizationId }: OwnWorld, duck: Duck, root: string) {
  const ledger = await withSystemSql((sql) =>
    sql(
      `select currency, count(*)::text as rows, round(sum(total_amount), 18)::text as amount,
         encode(sha256(convert_to(string_agg(connection_id || '/' || id || chr(10), '' order by id collate "C"), 'UTF8')), 'hex') as ids
       from line where organization_id = $1 and missing_since is null group by currency order by currency`,
      [organizationId],
    ),
  )
  const lake = await duck.ask(
    `select currency, count(*)::varchar as rows, sum(total_amount)::varchar as amount,
       sha256(string_agg(connection_id || '/' || id || chr(10), '' order by id)) as ids
     from read_parquet('${root}/*/lines/*/*.parquet', hive_partitioning = true) where not is_gone group by currency order by currency`,
  )
  if (JSON.stringify(ledger) !== JSON.stringify(lake))
    throw new CommandError(`The lake differs: ${JSON.stringify(lake)} against ${JSON.stringify(ledger)}.`)
  return lake
}

async function changeOneLine({ organizationId }: OwnWorld): Promise<void> {
  await withSystemSql((sql) =>
    sql(
      `update line set description = 'one line changed' where organization_id = $1
       and id = (select min(id) from line where organization_id = $1)`,
      [organizationId],
    ),
  )
}

type Measured = {
  lines: number
  rounds: number
  full: Written[]
  peers: Peer[]
  equal: Record<string, unknown>[]
  again: Written
  changed: Written
}

function report({ lines, rounds, full, peers, equal, again, changed }: Measured): void {
  const ours = medianOf(full.map(({ seconds }) => seconds))
  const theirs = medianOf(peers.map(({ csv, copy }) => csv + copy))
  const files = full[0]?.report.written ?? []
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0)
  const peak = Math.max(...full.map(({ peakMb }) => peakMb))
  const ofChange = changed.report.written.map(({ kind, month }) => `${kind} ${month}`)
  const row = (what: string, measured: string, target: string, isMet: boolean | null) => ({
    goal: 'lake',
    what,
    measured,
    target,
    isMet,
  })
  writeReport({
    subject: 'lake',
    data: { lines, rounds, full, peers, equal, again, changed },
    figures: [
      row(
        'DuckDB’s counts, sums and hash of ids against the ledger’s, per currency',
        equal.map(({ currency, rows }) => `${currency} ${rows}`).join(', '),
        'equal',
        true,
      ),
      row(
        'files that a second run writes',
        `${again.report.written.length} (${again.seconds.toFixed(1)} s)`,
        '0',
        again.report.written.length === 0,
      ),
      row(
        'files that a run writes after one changed line',
        `${ofChange.join(', ')} (${changed.seconds.toFixed(1)} s)`,
        '1',
        ofChange.length === 1,
      ),
      row(
        'all of it, written',
        `${ours.toFixed(1)} s, ${files.length} files, ${Math.round(bytes / MEGABYTE)} MB`,
        '–',
        null,
      ),
      row(
        'against the CSV of the lines and DuckDB’s COPY of it into Parquet by months',
        `${(theirs / ours).toFixed(2)}x (CSV ${medianOf(peers.map(({ csv }) => csv)).toFixed(1)} s, COPY ${medianOf(peers.map(({ copy }) => copy)).toFixed(1)} s)`,
        '–',
        null,
      ),
      row('memory of the process, above what it had', `${peak} MB`, '–', null),
    ],
    notes: [
      `${lines.toLocaleString('en')} lines made by the database, ${rounds} rounds of ours and DuckDB's in turn; medians.`,
      'Ours also writes invoices with their tie-outs, findings, hashes and sums, in one process that runs on one core; DuckDB uses two.',
      'Other programs kept the same two cores busy meanwhile (the load says how much), so times are no promise; what is equal does not depend on it.',
    ],
  })
}
