/**
 * `npm run bench -- export [--lines 1000000] [--rounds 3]`: P5, the file of all lines over HTTP,
 * beside `psql \copy` of the same columns in the same order, and beside csv-stringify.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stringify } from 'csv-stringify'
import { withSystemSql } from '#lib/db/tenant.ts'
import { LINE_COLUMNS } from '#lib/export/line-columns.ts'
import { LINE_FILE_VALUES } from '#lib/ledger/fields/line-fields.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { toLineOrder } from '#lib/ledger/read/list-lines.ts'
import { openTenantCursor } from '#lib/ledger/sql/tenant-cursor.ts'
import { CommandError } from '../run/command-error.ts'
import type { Lifetime } from '../run/lifetime.ts'
import { formatDuration, say } from '../run/terminal.ts'
import { addFilledAccount, fillLedger } from '../world/fill-ledger.ts'
import { type OwnWeb, startOwnWeb } from '../world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '../world/own-world.ts'
import { medianOf } from '../world/process-figures.ts'
import { findPsql, writeReport } from './bench-report.ts'

const FILE = '/api/export/lines?format=csv'
const CANCELED = 100
const SMALL = 10_000
const USAGE = 'Usage: npm run bench -- export [--lines 1000000] [--rounds 3]'

/** The file's rows in the list's order, as any client of the database would ask for them. */
const ROWS = `
  select ${LINE_COLUMNS.map(({ field, name }) => `${LINE_FILE_VALUES[field]} as ${name}`).join(', ')}
  from line l join connection c on c.organization_id = l.organization_id and c.id = l.connection_id
  where l.organization_id = 'ORGANIZATION' and l.missing_since is null
  order by ${toLineOrder(DEFAULT_LINE_QUERY)}`

type Person = { cookie: string }
type Download = { seconds: number; firstByteMs: number; bytes: number; peakMb: number }

/** @throws CommandError when a file differs from what `psql` writes, or without `psql`. */
export async function benchExport(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, rounds: { type: 'string' } } })
  const [lines, rounds] = [Number(values.lines ?? 1_000_000), Number(values.rounds ?? 3)]
  if (!(lines >= SMALL && rounds >= 1)) throw new CommandError(USAGE)
  if (findPsql() === null) throw new CommandError('This benchmark needs psql (package postgresql-client).')
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const web = await startOwnWeb(lifetime, world)
  const large = await web.signIn('large@example.com', world.organizationId)
  const small = await web.signIn('small@example.com')
  say(`  ${lines} lines are made`)
  await fillLedger(world, lines)
  await addFilledAccount(small.user, SMALL)

  const peer = () => copyByPsql(world, join(world.folder, 'peer.csv'))
  await peer()
  const file = join(world.folder, 'ours.csv')
  await download(web, large, file)
  await requireSameRows(file, join(world.folder, 'peer.csv'), lines)

  const ours: Download[] = []
  const copies: number[] = []
  const stringified: number[] = []
  const smallPeak = (await download(web, small)).peakMb
  for (let round = 1; round <= rounds; round++) {
    say(`Round ${round} of ${rounds}`)
    ours.push(await download(web, large))
    copies.push(await peer())
    stringified.push(await stringifyAll(world))
    say(
      `  ours ${formatDuration((ours.at(-1)?.seconds ?? 0) * 1000)}, psql ${formatDuration((copies.at(-1) ?? 0) * 1000)}, csv-stringify ${formatDuration((stringified.at(-1) ?? 0) * 1000)}`,
    )
  }
  const busy = await cancelMany(web, large)
  report({ lines, rounds, ours, copies, stringified, smallPeak, busy })
}

/** Reads the whole file, into `file` if one is named, and watches the web server's memory. */
async function download(web: OwnWeb, { cookie }: Person, file?: string): Promise<Download> {
  let peakMb = web.residentMb()
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, web.residentMb())
  }, 50)
  const begin = performance.now()
  const reply = await fetch(web.url + FILE, { headers: { cookie, 'accept-encoding': 'identity' } })
  if (reply.status !== 200 || reply.body === null) throw new CommandError(`The file was answered with ${reply.status}.`)
  let firstByteMs = 0
  let bytes = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      if (bytes === 0) firstByteMs = performance.now() - begin
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(Readable.fromWeb(reply.body as never), count, createWriteStream(file ?? '/dev/null'))
  clearInterval(watch)
  return { seconds: (performance.now() - begin) / 1000, firstByteMs, bytes, peakMb }
}

/** @returns its seconds. */
async function copyByPsql(world: OwnWorld, file: string): Promise<number> {
  const query = ROWS.replace('ORGANIZATION', world.organizationId).replaceAll(/\s+/g, ' ')
  const begin = performance.now()
  const address = `${world.databaseUrl}?options=${encodeURIComponent(`-c tieout.organization_id=${world.organizationId}`)}`
  const copy = `\\copy (${query}) to '${file}' csv header`
  const psql = spawn('psql', ['-q', '-X', '-v', 'ON_ERROR_STOP=1', '-c', copy, address], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const status = await new Promise((resolve) => psql.once('close', resolve))
  if (status !== 0) throw new CommandError('psql could not copy.')
  return (performance.now() - begin) / 1000
}

/** The same rows through a cursor and csv-stringify, in this process, without HTTP. */
async function stringifyAll({ organizationId, userId }: OwnWorld): Promise<number> {
  const begin = performance.now()
  const reader = { userId, signal: new AbortController().signal }
  const query = { text: ROWS.replace("'ORGANIZATION'", '$1::uuid'), values: [organizationId] }
  const cursor = await openTenantCursor(organizationId, reader, query, 500)
  async function* read() {
    for (let rows = await cursor.next(); rows.length > 0; rows = await cursor.next()) yield* rows
  }
  await pipeline(
    Readable.from(read()),
    stringify({ header: true, escape_formulas: false }),
    createWriteStream('/dev/null'),
  )
  await cursor.close()
  return (performance.now() - begin) / 1000
}

/** Cell by cell, whatever is quoted and however lines end. */
async function requireSameRows(ours: string, peer: string, lines: number): Promise<void> {
  const [a, b] = await Promise.all([hashCells(ours), hashCells(peer)])
  if (a.rows !== lines + 1 || a.rows !== b.rows || a.hash !== b.hash)
    throw new CommandError(`The files differ: ${a.rows} and ${b.rows} rows, ${a.hash} and ${b.hash}.`)
}

async function hashCells(file: string): Promise<{ rows: number; hash: string }> {
  const hash = createHash('sha256')
  let rows = 0
  // the rows made here have no line breaks in their texts
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    rows += 1
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
    hash.update(`${cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain).join('\u001f')}\n`)
  }
  return { rows, hash: hash.digest('hex') }
}

/** Cancels downloads after their first bytes; resolves to what is busy in the database then. */
async function cancelMany(
  web: OwnWeb,
  { cookie }: Person,
): Promise<{ sent: number; leftBusy: number; afterMs: number }> {
  for (let sent = 0; sent < CANCELED; sent++) {
    const leaving = new AbortController()
    const reply = await fetch(web.url + FILE, { headers: { cookie }, signal: leaving.signal })
    if (reply.status === 200) await reply.body?.getReader().read()
    leaving.abort()
  }
  const begin = performance.now()
  let leftBusy = await countBusy()
  for (; leftBusy > 0 && performance.now() - begin < 10_000; leftBusy = await countBusy()) await delay(50)
  return { sent: CANCELED, leftBusy, afterMs: Math.round(performance.now() - begin) }
}

async function countBusy(): Promise<number> {
  const [row] = await withSystemSql((sql) =>
    sql<{ busy: number }>(
      `select count(*)::int as busy from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`,
    ),
  )
  return row?.busy ?? 0
}

type Measured = {
  lines: number
  rounds: number
  ours: Download[]
  copies: number[]
  stringified: number[]
  smallPeak: number
  busy: { sent: number; leftBusy: number; afterMs: number }
}

function report({ lines, rounds, ours, copies, stringified, smallPeak, busy }: Measured): void {
  const seconds = medianOf(ours.map((each) => each.seconds))
  const ratio = medianOf(copies) / seconds
  const speed = (of: number) => `${Math.round(lines / of).toLocaleString('en')} rows/s`
  const firstByte = medianOf(ours.map(({ firstByteMs }) => firstByteMs))
  const growth = Math.max(...ours.map(({ peakMb }) => peakMb)) - smallPeak
  const figure = (goal: string, what: string, measured: string, target: string, isMet: boolean | null) => ({
    goal,
    what,
    measured,
    target,
    isMet,
  })
  writeReport({
    subject: 'export',
    data: { lines, rounds, ours, copies, stringified, smallPeak, busy },
    figures: [
      figure(
        'P5',
        'CSV of all lines over HTTP, against `psql \\copy` of the same columns in the same order',
        `${ratio.toFixed(2)}x (${speed(seconds)} against ${speed(medianOf(copies))})`,
        '>= 0.6x',
        ratio >= 0.6,
      ),
      figure(
        'P5',
        'the same rows through a cursor and csv-stringify, without HTTP, against `psql \\copy`',
        `${(medianOf(copies) / medianOf(stringified)).toFixed(2)}x (${speed(medianOf(stringified))})`,
        '–',
        null,
      ),
      figure('P5', 'first byte', `${Math.round(firstByte)} ms`, '<= 200 ms', firstByte <= 200),
      figure(
        'P5',
        `memory of the web server, above that of a file of ${SMALL.toLocaleString('en')} lines`,
        `${growth} MB`,
        '<= 32 MB',
        growth <= 32,
      ),
      figure(
        'P5',
        `busy database connections after ${busy.sent} canceled downloads`,
        `${busy.leftBusy} after ${busy.afterMs} ms`,
        '0',
        busy.leftBusy === 0,
      ),
    ],
    notes: [
      `${lines.toLocaleString('en')} lines made by the database, ${rounds} rounds of ours, psql and csv-stringify in turn; medians.`,
      'Before a time counts: our file and that of psql have the same cells, in the same order.',
    ],
  })
}
