/**
 * `npm run soak -- sign-in [--seconds 60] [--rate 200]`: guesses passwords at a production web
 * server, first from one address and then from 50, while another user reads pages and the right
 * person signs in (reliability A18).
 */
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { OWN_PASSWORD, type OwnWeb, startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'

const READER = 'reader@example.com'
const PERSON = 'right.person@example.com'
const PAGES = ['/lines', '/api/lines?page=1']
const READER_ADDRESS = '127.0.2.1'
const PERSON_ADDRESS = '127.0.3.1'
const QUIET_SECONDS = 20
const READ_EVERY_MS = 150
/** How long a person waits at most for the sign-in form's answer. */
const SIGN_IN_WITHIN_MS = 10_000
/**
 * Memory rises when a storm begins; from its middle third to its last it may rise by this factor.
 */
const MAX_RISE = 1.1
/** The most that memory may exceed its quiet value. */
const MAX_GROWTH_MEGABYTES = 250

/**
 * @throws CommandError when pages became slower than twice their quiet time, memory grew, or the
 * right person was kept out.
 */
export async function soakSignIn(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string' }, rate: { type: 'string' } } })
  const [seconds, rate] = [Number(values.seconds ?? 60), Number(values.rate ?? 200)]
  if (!(seconds >= 1 && rate >= 1)) throw new CommandError('Usage: npm run soak -- sign-in [--seconds 60] [--rate 200]')
  const web = await openWeb(lifetime)
  // the first requests are slow: the server loads what it needs
  const patience = 60_000
  const reader = await signIn(web, READER, READER_ADDRESS, '', patience)
  const person = await signIn(web, PERSON, PERSON_ADDRESS, '', patience)
  if (reader.cookie === '' || person.cookie === '') throw new CommandError('Nobody can sign in.')
  await readPages(web, reader.cookie, 5_000)
  const quietTimes: Reading[] = []
  const readInPeace = async () => {
    say('Reading pages in peace')
    quietTimes.push(await readPages(web, reader.cookie, QUIET_SECONDS * 1000))
    return web.residentMb()
  }
  const quietMb = [await readInPeace()]
  const storms: [addresses: number, storm: Awaited<ReturnType<typeof weather>>][] = []
  for (const addresses of [1, 50]) {
    say(`${rate} guesses a second for ${seconds} s from ${addresses} ${addresses === 1 ? 'address' : 'addresses'}`)
    const cookies = { readerCookie: reader.cookie, personCookie: person.cookie }
    storms.push([addresses, await weather(web, { addresses, seconds, rate, ...cookies })])
    quietMb.push(await readInPeace())
  }
  // before, between and after: both sides include whatever else the machine does
  const quiet = summarize(quietTimes)
  const problems = storms.flatMap(([addresses, storm]) =>
    findProblems(storm, quiet, quietMb[0] ?? 0).map((problem) => `from ${addresses}: ${problem}`),
  )
  const figures = Object.fromEntries(storms.map(([addresses, storm]) => [`from ${addresses}`, storm]))
  say(JSON.stringify({ soak: 'sign-in', seconds, rate, quiet, quietMb, ...figures }))
  if (problems.length > 0) throw new CommandError(`The promise does not hold: ${problems.join('; ')}`)
}

type Storm = Summary & { residentMb: number[]; knownPersonSignedIn: boolean }

function findProblems(
  { p95, failedReads, residentMb, knownPersonSignedIn }: Storm,
  quiet: Summary,
  quietMb: number,
): string[] {
  const [, middle = 0, last = 0] = residentMb
  const grown = Math.max(...residentMb) - quietMb
  return [
    ...(p95 > 2 * quiet.p95 ? [`p95 ${p95} ms, in peace ${quiet.p95} ms`] : []),
    ...(failedReads > 0 ? [`${failedReads} pages did not come`] : []),
    ...(last > MAX_RISE * middle ? [`memory goes on growing, from ${middle} to ${last} MB`] : []),
    ...(grown > MAX_GROWTH_MEGABYTES ? [`${grown} MB more memory`] : []),
    ...(knownPersonSignedIn ? [] : ['the right person could not sign in']),
  ]
}

/** A synced account, two users, and the web server as in production. */
async function openWeb(lifetime: Lifetime): Promise<OwnWeb> {
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const worker = world.startWorker()
  lifetime.onEnd('worker', worker.stop)
  await untilSynced(world, lifetime)
  await worker.stop(false)
  const web = await startOwnWeb(lifetime, world)
  for (const email of [READER, PERSON]) await web.addUser(email, world.organizationId)
  return web
}

async function untilSynced({ connectionId }: OwnWorld, lifetime: Lifetime): Promise<void> {
  for (const deadline = Date.now() + 600_000; Date.now() < deadline; ) {
    const underWay = await withSystemSql((sql) =>
      sql(`select from sync_run where connection_id = $1 and status in ('queued', 'running')`, [connectionId]),
    )
    if (underWay.length === 0) return
    await delay(200, undefined, { signal: lifetime.signal })
  }
  throw new CommandError('The account was not synced within ten minutes.')
}

function medianOfThirds(series: number[]): number[] {
  return [0, 1, 2].map((third) =>
    Math.round(medianOf(series.slice((series.length * third) / 3, (series.length * (third + 1)) / 3))),
  )
}

type StormOptions = { addresses: number; seconds: number; rate: number; readerCookie: string; personCookie: string }

/**
 * One storm: guesses at random emails and at the right person's, while the reader reads and the
 * person signs in.
 */
async function weather(web: OwnWeb, { addresses, seconds, rate, readerCookie, personCookie }: StormOptions) {
  const statuses: Record<string, number> = {}
  const resident: number[] = []
  const watch = setInterval(() => {
    resident.push(web.residentMb())
  }, 500)
  const storm = guess(web, { addresses, seconds, rate, statuses })
  const reading = readPages(web, readerCookie, seconds * 1000)
  // in the middle of it
  await delay((seconds * 1000) / 3)
  const known = await signIn(web, PERSON, PERSON_ADDRESS, personCookie)
  const fresh = await signIn(web, PERSON, '127.0.3.2')
  const read = summarize([await reading])
  await storm
  clearInterval(watch)
  return {
    ...read,
    statuses,
    residentMb: medianOfThirds(resident),
    knownPersonSignedIn: known.cookie !== '',
    knownPersonMs: known.ms,
    freshBrowser: fresh.status,
    freshBrowserMs: fresh.ms,
  }
}

type Guessing = { addresses: number; seconds: number; rate: number; statuses: Record<string, number> }

async function guess(web: OwnWeb, { addresses, seconds, rate, statuses }: Guessing): Promise<void> {
  const agents = Array.from({ length: addresses }, (_, index) => ({
    agent: new http.Agent({ keepAlive: true }),
    localAddress: `127.0.1.${index + 1}`,
  }))
  const begin = performance.now()
  for (let sent = 0; sent < rate * seconds; ) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - begin) / 1000) * rate))
    for (; sent < due; sent++) {
      const { agent, localAddress } = agents[sent % addresses] as (typeof agents)[number]
      const email = sent % 2 === 0 ? PERSON : `nobody-${sent}@example.com`
      post(web, { email, password: `guess ${sent}` }, { agent, localAddress }).then(
        ({ status }) => {
          statuses[status] = (statuses[status] ?? 0) + 1
        },
        () => {
          statuses.lost = (statuses.lost ?? 0) + 1
        },
      )
    }
    await delay(20)
  }
  // the guessers do not wait: what is unanswered by now is broken off
  for (const { agent } of agents) agent.destroy()
}

type Reading = { times: number[]; failedReads: number }
type Summary = { reads: number; failedReads: number; p50: number; p95: number; slowest: number }

/** Reads the pages in turn, like a person at work. */
async function readPages(web: OwnWeb, cookie: string, ms: number): Promise<Reading> {
  const agent = new http.Agent({ keepAlive: true })
  const times: number[] = []
  let failedReads = 0
  for (const end = Date.now() + ms; Date.now() < end; await delay(READ_EVERY_MS)) {
    const begin = performance.now()
    const path = PAGES[times.length % PAGES.length] as string
    const options = { agent, localAddress: READER_ADDRESS, headers: { cookie }, timeout: 60_000 }
    const { status } = await send(web, { ...options, path }).catch(() => ({ status: 0 }))
    times.push(performance.now() - begin)
    if (status !== 200) failedReads += 1
  }
  agent.destroy()
  return { times, failedReads }
}

/** Milliseconds. */
function summarize(readings: Reading[]): Summary {
  const sorted = readings.flatMap(({ times }) => times).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  const failedReads = readings.reduce((sum, reading) => sum + reading.failedReads, 0)
  return { reads: sorted.length, failedReads, p50: at(0.5), p95: at(0.95), slowest: at(1) }
}

type SignedIn = { status: number; cookie: string; ms: number }

/** `cookie` is empty when it failed, otherwise everything the browser was given. */
async function signIn(
  web: OwnWeb,
  email: string,
  localAddress: string,
  cookie = '',
  timeout = SIGN_IN_WITHIN_MS,
): Promise<SignedIn> {
  const begin = performance.now()
  const headers = cookie === '' ? {} : { cookie }
  const options = { localAddress, headers, timeout }
  const reply = await post(web, { email, password: OWN_PASSWORD }, options).catch(() => ({ status: 0, cookies: [] }))
  const cookies = reply.cookies.map((line) => line.split(';')[0]).join('; ')
  return { status: reply.status, cookie: cookies, ms: Math.round(performance.now() - begin) }
}

function post(web: OwnWeb, fields: Record<string, string>, options: http.RequestOptions) {
  const body = new URLSearchParams(fields).toString()
  const headers = {
    ...options.headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
    origin: web.url,
  }
  return send(web, { ...options, method: 'POST', path: '/api/sign-in', headers }, body)
}

function send(
  web: OwnWeb,
  options: http.RequestOptions,
  body?: string,
): Promise<{ status: number; cookies: string[] }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: web.port, ...options }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, cookies: response.headers['set-cookie'] ?? [] }),
      )
    })
    request.once('timeout', () => request.destroy(new Error('no answer')))
    request.once('error', reject)
    request.end(body)
  })
}
