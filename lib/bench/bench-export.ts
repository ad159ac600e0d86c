/**
 * `npm run bench -- export [--lines 1000000] [--rounds 3]`: P5, the file of all lines over HTTP,
 * beside `psql \copy` of the same columns in the same order, and beside csv-stringify.
 */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stringify } from 'csv-stringify'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { formatDuration, say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { openTenantCursor } from '#lib/ledger/sql/tenant-cursor.ts'
import { addFilledAccount, fillLedger } from '#lib/world/fill-ledger.ts'
import { type OwnWeb, startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { findPsql, writeReport } from './bench-report.ts'
import {
  copyByPsql,
  type Download,
  download,
  LINE_ROWS,
  LINES_FILE,
  type Person,
  requireSameRows,
} from './desk/export-peer.ts'

const CANCELED = 100
const SMALL = 10_000
const USAGE = 'Usage: npm run bench -- export [--lines 1000000] [--rounds 3]'

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

/** The same rows through a cursor and csv-stringify, in this process, without HTTP. */
async function stringifyAll({ organizationId, userId }: OwnWorld): Promise<number> {
  const begin = performance.now()
  const reader = { userId, signal: new AbortController().signal }
  const query = { text: LINE_ROWS.replace("'ORGANIZATION'", '$1::uuid'), values: [organizationId] }
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

/** Cancels downloads after their first bytes; resolves to what is busy in the database then. */
async function cancelMany(
  web: OwnWeb,
  { cookie }: Person,
): Promise<{ sent: number; leftBusy: number; afterMs: number }> {
  for (let sent = 0; sent < CANCELED; sent++) {
    const leaving = new AbortController()
    const reply = await fetch(web.url + LINES_FILE, { headers: { cookie }, signal: leaving.signal })
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
