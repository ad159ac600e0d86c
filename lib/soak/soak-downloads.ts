/**
 * `npm run soak -- downloads`: what a client can do to the web server by not reading what it asked
 * for.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { makeLine, seedConnection, seedLines } from '#lib/ledger/test-support/seed.ts'
import { type OwnUser, type OwnWeb, startOwnWeb } from '#lib/world/own-web.ts'
import { openOwnWorld } from '#lib/world/own-world.ts'

const LINES = 60_000
const UPGRADES = 300
const BROKEN_OFF = 200
const SLOW_READERS = 50
/** Pages, redirects, routes, files, and paths that do not exist. */
const PATHS = ['/', '/lines', '/lines/', '/nonexistent', '/api/nope', '/_next/static/x', '/sign-in', '/connect'].concat(
  ['/api/health', '/api/lines', '/api/sign-in', '/icon.svg', '/_next/image?url=x', '/api/auth/callback/partner'],
)
const PROTOCOLS = ['websocket', 'h2c']
const FILE = '/api/export/lines?format=csv'
/** A kept-alive connection closes after seconds, one whose reader has stopped after minutes. */
const LEFT_WITHIN_MS = 90_000
const SLOW_LEFT_WITHIN_MS = 300_000

type Person = { user: OwnUser; cookie: string }
type Report = Record<string, unknown>

/**
 * Runs the attacks one after the other. Prints its figures as one JSON line. @throws CommandError
 * with what did not hold.
 */
export async function soakDownloads(lifetime: Lifetime): Promise<void> {
  say(`Soak of the downloads: ${UPGRADES} upgrades, ${BROKEN_OFF} broken off, ${SLOW_READERS} slow readers`)
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const web = await startOwnWeb(lifetime, world)
  const anna = await web.signIn('anna@one.example')
  const ben = await web.signIn('ben@one.example', anna.user.organizationId)
  const other = await web.signIn('carla@two.example')
  for (const person of [anna, other]) await fillLedger(person.user)

  const problems: string[] = []
  const report: Report = { soak: 'downloads', lines: LINES, residentMb: { before: web.residentMb() } }
  report.quiet = await measure(web, [anna, other], problems, 'quiet')
  say('Upgrades')
  report.upgrades = await sendUpgrades(web, problems)
  say('Downloads broken off')
  report.brokenOff = await breakOff(web, [anna, ben, other], problems)
  report.afterBrokenOff = await measure(web, [anna, other], problems, 'after the broken-off downloads')
  say('Slow readers')
  report.slowReaders = await readSlowly(web, [anna, ben], other, problems)
  report.afterwards = await measure(web, [anna, other], problems, 'at the end')
  report.left = await expectNothingLeft(web, 'at the end', problems)
  Object.assign(report.residentMb as object, { after: web.residentMb() })
  report.linesOfLogThatAreNoJson = countPlainLines(web.logFile)
  if (report.linesOfLogThatAreNoJson !== 0) problems.push('the log has lines that are no JSON')
  say(JSON.stringify({ ...report, problems }))
  if (problems.length > 0) throw new CommandError(`It did not hold: ${problems.join('; ')}`)
}

/** One line, then copies of it: only the file's size matters. */
async function fillLedger(user: OwnUser): Promise<void> {
  const query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
    withSystemSql((sql) => sql<Row>(text, values))
  const connectionId = await seedConnection(query, user)
  await seedLines(user.organizationId, connectionId, [makeLine({ id: 'template' })])
  const [columns] = await query<{ names: string }>(
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'line' and column_name not in ('id', 'finding_count')`,
  )
  await query(
    `insert into line (id, ${columns?.names}) select 'copy-' || n, ${columns?.names} from line, generate_series(2, ${LINES}) n
     where organization_id = $1 and id = 'template'`,
    [user.organizationId],
  )
  await query('analyze line')
}

const ask = (web: OwnWeb, { cookie }: Person, path: string) =>
  fetch(web.url + path, { headers: { cookie, 'accept-encoding': 'identity' }, signal: AbortSignal.timeout(60_000) })

/** Times a whole file for each person, one after the other, and twenty pages. */
async function measure(web: OwnWeb, people: Person[], problems: string[], when: string): Promise<Report> {
  const files: unknown[] = []
  for (const person of people) {
    const begin = performance.now()
    const rows = await readFile(web, person)
    if (rows !== LINES) problems.push(`a file ${when}: ${rows}`)
    files.push({ rows, ms: Math.round(performance.now() - begin) })
  }
  return { files, pageMs: await measurePages(web, people, problems, when) }
}

/** The number of its rows, or what came instead. */
async function readFile(web: OwnWeb, person: Person): Promise<number | string> {
  try {
    const reply = await ask(web, person, FILE)
    const text = await reply.text()
    return reply.status === 200 ? text.split('\n').length - 2 : `status ${reply.status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function measurePages(web: OwnWeb, people: Person[], problems: string[], when: string): Promise<Report> {
  const times: number[] = []
  for (let n = 0; n < 10; n++)
    for (const person of people) {
      const begin = performance.now()
      const status = await ask(web, person, '/lines').then(
        (reply) => reply.text().then(() => reply.status),
        () => 0,
      )
      if (status !== 200) problems.push(`a page ${when}: status ${status}`)
      times.push(performance.now() - begin)
    }
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] as number)
  return { median: at(0.5), p95: at(0.95) }
}

/** A connection that stays open on our side until it is destroyed. */
function send(web: OwnWeb, path: string, headers: string[]): Socket {
  const socket = connect({ port: web.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write([`GET ${path} HTTP/1.1`, `Host: localhost:${web.port}`, ...headers, '', ''].join('\r\n'))
  return socket
}

async function sendUpgrades(web: OwnWeb, problems: string[]): Promise<Report> {
  const before = web.countSockets()
  const sockets: Socket[] = []
  const answers = await Promise.all(
    Array.from({ length: UPGRADES }, async (_, n) => {
      await delay(n * 10)
      const path = PATHS[n % PATHS.length] as string
      const protocol = PROTOCOLS[Math.floor(n / PATHS.length) % PROTOCOLS.length]
      const socket = send(web, path, ['Connection: Upgrade', `Upgrade: ${protocol}`])
      sockets.push(socket)
      const begin = performance.now()
      const hasAnswered = await Promise.race([
        new Promise<true>((resolve) => socket.once('data', () => resolve(true))),
        delay(30_000, false, { ref: false }),
      ])
      return hasAnswered ? performance.now() - begin : null
    }),
  )
  for (const socket of sockets) socket.destroy()
  const answered = answers.filter((ms) => ms !== null)
  if (answered.length < UPGRADES) problems.push(`${UPGRADES - answered.length} upgrades were never answered`)
  const left = await expectNothingLeft(web, 'after the upgrades', problems)
  return { sent: UPGRADES, answered: answered.length, slowestMs: Math.round(Math.max(0, ...answered)), before, left }
}

/** Requests come in pairs; each is broken off 0 to 40 ms later. */
async function breakOff(web: OwnWeb, people: Person[], problems: string[]): Promise<Report> {
  const isBegun = await Promise.all(
    Array.from({ length: BROKEN_OFF }, async (_, n) => {
      await delay(Math.floor(n / 2) * 60)
      const { cookie } = people[n % people.length] as Person
      const socket = send(web, FILE, [`Cookie: ${cookie}`])
      let hasBegun = false
      socket.once('data', () => {
        hasBegun = true
      })
      await delay(n % 41)
      socket.destroy()
      return hasBegun
    }),
  )
  const left = await expectNothingLeft(web, 'after the broken-off downloads', problems)
  return { sent: BROKEN_OFF, beforeTheFirstByte: isBegun.filter((begun) => !begun).length, left }
}

/**
 * Half of them read nothing after the first bytes, the others 64 kB every five seconds: 13 kB a
 * second.
 */
async function readSlowly(web: OwnWeb, slow: Person[], other: Person, problems: string[]): Promise<Report> {
  const begin = performance.now()
  const readers = Array.from({ length: SLOW_READERS }, (_, n) => {
    const socket = send(web, FILE, [`Cookie: ${(slow[n % slow.length] as Person).cookie}`])
    const reader = { status: '' }
    socket.once('data', (data) => {
      reader.status = data.toString('latin1').slice(9, 12)
      socket.pause()
      // a refusal is short and may end
      if (reader.status !== '200') socket.destroy()
    })
    if (n % 2 === 0) {
      const timer = setInterval(() => socket.read(), 5_000)
      socket.once('close', () => clearInterval(timer))
    }
    return { reader, socket }
  })
  const statuses = () => readers.map(({ reader }) => reader.status)
  for (const deadline = Date.now() + 30_000; statuses().includes('') && Date.now() < deadline; ) await delay(100)
  const counts = Object.fromEntries(
    [...new Set(statuses())].map((status) => [status || 'none', statuses().filter((each) => each === status).length]),
  )
  const meanwhile = await measure(web, [other], problems, 'beside the slow readers')
  const freed = await waitUntil(async () => (await countSessions()) === 0, SLOW_LEFT_WITHIN_MS)
  if (freed === null) problems.push('slow readers keep their database connections')
  const freeAfterSeconds = freed === null ? null : Math.round((performance.now() - begin) / 1000)
  const left = await expectNothingLeft(
    web,
    'after the slow readers, who are still there',
    problems,
    SLOW_LEFT_WITHIN_MS,
  )
  const leftAfterSeconds = Math.round((performance.now() - begin) / 1000)
  for (const { socket } of readers) socket.destroy()
  return { asked: SLOW_READERS, statuses: counts, meanwhile, freeAfterSeconds, leftAfterSeconds, left }
}

/** The web server's transactions that are open although nobody requests anything. */
async function countSessions(): Promise<number> {
  const [row] = await withSystemSql((sql) =>
    sql<{ sessions: number }>(
      `select count(*)::int as sessions from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'`,
    ),
  )
  return row?.sessions ?? 0
}

async function expectNothingLeft(
  web: OwnWeb,
  when: string,
  problems: string[],
  withinMs = LEFT_WITHIN_MS,
): Promise<Report> {
  const isEmpty = async () => (web.countSockets() ?? 0) === 0 && (await countSessions()) === 0
  await waitUntil(isEmpty, withinMs)
  const left = { sockets: web.countSockets(), sessions: await countSessions() }
  if (left.sockets !== 0 && left.sockets !== null) problems.push(`${left.sockets} sockets are left ${when}`)
  if (left.sessions !== 0) problems.push(`${left.sessions} database sessions are left ${when}`)
  return left
}

/** @returns how long it took, in milliseconds; null when it did not come true in time. */
async function waitUntil(isTrue: () => Promise<boolean>, withinMs: number): Promise<number | null> {
  const begin = performance.now()
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(200))
    if (await isTrue()) return performance.now() - begin
  return null
}

function countPlainLines(file: string): number {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.filter((line) => !isJson(line)).length
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
