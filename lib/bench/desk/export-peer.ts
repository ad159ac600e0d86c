/** The file of lines over HTTP, and the same rows as `psql` copies them. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import { LINE_COLUMNS } from '#lib/export/line-columns.ts'
import { LINE_FILE_VALUES } from '#lib/ledger/fields/line-fields.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { LINE_FILE_TABLES } from '#lib/ledger/read/export-lines.ts'
import { toLineOrder } from '#lib/ledger/read/list-lines.ts'
import type { OwnWeb } from '#lib/world/own-web.ts'
import type { OwnWorld } from '#lib/world/own-world.ts'

export const LINES_FILE = '/api/export/lines?format=csv'

/** The file's rows in the list's order, as any client of the database would ask for them. */
export const LINE_ROWS = `
  select ${LINE_COLUMNS.map(({ field, name }) => `${LINE_FILE_VALUES[field]} as ${name}`).join(', ')}
  from ${LINE_FILE_TABLES}
  where l.organization_id = 'ORGANIZATION' and l.missing_since is null
  order by ${toLineOrder(DEFAULT_LINE_QUERY)}`

export type Person = { cookie: string }
export type Download = { seconds: number; firstByteMs: number; bytes: number; peakMb: number }

/** Reads the whole file, into `file` if one is named, and watches the web server's memory. */
export async function download(web: OwnWeb, { cookie }: Person, file?: string): Promise<Download> {
  let peakMb = web.residentMb()
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, web.residentMb())
  }, 50)
  const begin = performance.now()
  const headers = { cookie, 'accept-encoding': 'identity' }
  // fetch() takes the reader more than twice the work, on cores that it shares with the server
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(web.url + LINES_FILE, { headers, agent: false }, resolve).once('error', reject)
  })
  if (reply.statusCode !== 200) throw new CommandError(`The file was answered with ${reply.statusCode}.`)
  let firstByteMs = 0
  let bytes = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      if (bytes === 0) firstByteMs = performance.now() - begin
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(reply, count, createWriteStream(file ?? '/dev/null'))
  clearInterval(watch)
  return { seconds: (performance.now() - begin) / 1000, firstByteMs, bytes, peakMb }
}

/** @returns its seconds. */
export async function copyByPsql(
  world: Pick<OwnWorld, 'organizationId' | 'databaseUrl'>,
  file: string,
): Promise<number> {
  const query = LINE_ROWS.replace('ORGANIZATION', world.organizationId).replaceAll(/\s+/g, ' ')
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

/** Cell by cell, whatever is quoted and however lines end. */
export async function requireSameRows(ours: string, peer: string, lines: number): Promise<void> {
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
    hash.update(`${partCells(line)}\n`)
  }
  return { rows, hash: hash.digest('hex') }
}

/** A row with a mark between its cells. Outside of quotes, two in a row stand for one in a cell. */
function partCells(line: string): string {
  const parts = line.split('"')
  return parts
    .map((part, at) => {
      if (at % 2 === 1) return part
      return part === '' && at > 0 && at < parts.length - 1 ? '"' : part.replaceAll(',', '\u001f')
    })
    .join('')
}
