/**
 * `npm run bench -- failover [--lines 20000] [--only …]`: the PostgreSQL that is written to is
 * killed, frozen and changed under Patroni, while accounts are read for the first time and people
 * read, sign in, comment and take files along. Needs Debian's patroni, etcd-server and haproxy.
 * `npm run bench -- citus-failover`: the same of a cluster, whose node with the readers' rows is
 * killed, and then its coordinator (lib/world/own-citus.ts says what that needs).
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ManagedProcess } from '#lib/cli/processes/managed-process.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { SYNC_TIMING } from '#lib/sync/runs/timing.ts'
import { addFilledAccount } from '#lib/world/fill-ledger.ts'
import { findGap, type Gap } from '#lib/world/gaps.ts'
import { startOwnCitus } from '#lib/world/own-citus.ts'
import { type OwnPatroni, requirePatroni, startOwnEtcd, startOwnPatroni } from '#lib/world/own-patroni.ts'
import { startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { rowsOf, writeReport } from './bench-report.ts'
import { LINES_FILE } from './desk/export-peer.ts'
import { BLOWS, type Blow, CLUSTER_BLOWS, CLUSTER_TOLD, TOLD } from './failover/blows.ts'
import { type Answer, type Asked, ask } from './failover/people.ts'
import { type SeenPages, untilAnswered, watchPages } from './failover/seen-pages.ts'
import { findWrites, type Subject, type Writes, writeComments } from './fleet/comments.ts'
import { type Runs, readRuns, toRunRows } from './fleet/read-runs.ts'
import { type Account, addAccounts, waitForRuns } from './fleet/sync-waves.ts'
import { seeAllTime } from './ui/see-all-time.ts'

/** Of the ledger that people read and take along. */
const READ_LINES = 20_000
const WRITERS = 2
/** The platform's usual budget: a backfill is under way for as long as the database is away. */
const CALLS_PER_SECOND = 10
const BEFORE_MS = 10_000
const AWAY_MS = 10_000
const AFTER_MS = 15_000
/** Patroni's `ttl` in docs/deploy/patroni.yml, and ten seconds for all that follows. */
const TAKEN_OVER_WITHIN = 30
/** For a run whose worker could not even say that it lets go of it. */
const LEASE_SECONDS = SYNC_TIMING.leaseMs / 1000
const COMMITTED = 'a committed page of the sync'
/** Longer than the primary waits for it. */
const STANDBY_AWAY_MS = 30_000

/** Moments in milliseconds; `newPrimaryAfter` in seconds, null where the primary stays. */
type Struck = { what: string; from: number; blow: number; to: number; newPrimaryAfter: number | null }

/** What can be struck: the pair that everybody asks, and the one with an organization's rows. */
type Engine = {
  databaseUrl: string
  coordinator: OwnPatroni
  nodeOf: (organizationId: OrganizationId) => Promise<OwnPatroni>
}

/** `servers` and `told`: in words, for the paper. */
type Tried = {
  subject: string
  servers: string
  blows: readonly Blow[]
  told: string
  open: (lifetime: Lifetime, folder: string) => Promise<Engine>
}

const ONE_POSTGRES: Tried = {
  subject: 'failover',
  servers: 'two PostgreSQL servers',
  blows: BLOWS,
  told: TOLD,
  open: async (lifetime, folder) => {
    const etcdPort = await startOwnEtcd(lifetime, join(folder, 'etcd'))
    const pair = await startOwnPatroni(lifetime, { folder: join(folder, 'patroni'), database: 'tieout', etcdPort })
    await prepareSchema(pair.databaseUrl, null)
    return { databaseUrl: pair.databaseUrl, coordinator: pair, nodeOf: async () => pair }
  },
}

const CLUSTER: Tried = {
  subject: 'citus-failover',
  servers: 'a coordinator and two nodes of a Citus cluster, two PostgreSQL servers each',
  blows: CLUSTER_BLOWS,
  told: CLUSTER_TOLD,
  open: startOwnCitus,
}

/** @throws CommandError when a program is missing, or a run does not end by itself. */
export const benchFailover = (lifetime: Lifetime, args: string[]) => tryFailover(lifetime, args, ONE_POSTGRES)

/** @throws CommandError as `benchFailover` does. */
export const benchCitusFailover = (lifetime: Lifetime, args: string[]) => tryFailover(lifetime, args, CLUSTER)

async function tryFailover(lifetime: Lifetime, args: string[], tried: Tried): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, only: { type: 'string' } } })
  const lines = Number(values.lines ?? 20_000)
  const blows = tried.blows.filter(({ what }) => values.only === undefined || what === values.only)
  if (!(lines >= 10_000 && blows.length > 0)) {
    const names = tried.blows.map(({ what }) => `'${what}'`).join(' | ')
    throw new CommandError(`Usage: npm run bench -- ${tried.subject} [--lines 20000] [--only ${names}]`)
  }
  requirePatroni()
  let engine: Engine | undefined
  const world = await openOwnWorld(lifetime, {
    account: 'nordlicht',
    size: { kind: 'huge', lines },
    keptPageBytes: 2 ** 28,
    pageSize: 50,
    workerFlags: [],
    openDatabase: async (folder) => {
      engine = await tried.open(lifetime, folder)
      return { owner: engine.databaseUrl }
    },
  })
  const { coordinator, nodeOf } = engine as Engine
  say('  servers under Patroni, each with one beside it that has everything')
  const desk = await openDesk(lifetime, world, await findNeighbour(world, nodeOf))
  const worker = world.startWorker(world.databaseUrl, { PARTNER_CALLS_PER_SECOND: `${CALLS_PER_SECOND}` })
  lifetime.onEnd('Worker', worker.stop)
  const isOver = new AbortController()
  const asking = ask(desk, isOver.signal)
  const writing = Promise.all(
    desk.cookies.slice(0, WRITERS).map((cookie, writer) => {
      return writeComments({ url: desk.url, cookie, ledger: desk.ledger, writer }, isOver.signal)
    }),
  )
  const watching = watchPages(isOver.signal, lifetime.signal)
  const accounts: Account[] = []
  const struck: Struck[] = []
  try {
    for (const blow of blows) {
      const account = accounts.length === 0 ? world : (await addAccounts(world, 1))[0]
      accounts.push(account as Account)
      const servers = blow.at === 'coordinator' ? coordinator : await nodeOf(desk.ledger.organizationId)
      struck.push(await strike(servers, blow, account as Account, lifetime.signal))
    }
  } finally {
    isOver.abort()
    await Promise.allSettled([asking, writing, watching])
  }
  const [answers, sent, pages] = [await asking, (await writing).flat(), await watching]
  const alive = { web: isAlive(desk.pid), worker: await isRunning(worker) }
  const writes = await findWrites(desk.ledger, sent)
  const runs = await readRuns(world, accounts, accounts)
  report({ tried, lines, struck, answers, writes, pages, alive, runs })
}

type Desk = {
  url: string
  pid: number
  cookies: string[]
  email: string
  ledger: Subject
  file: { address: string; bytes: number }
}

/** An organization whose rows stand where those of the first account do: one blow hits both. */
async function findNeighbour(world: OwnWorld, nodeOf: Engine['nodeOf']): Promise<OrganizationId> {
  const place = await nodeOf(world.organizationId)
  for (;;) {
    const { organizationId } = await world.addOrganization()
    if ((await nodeOf(organizationId)) === place) return organizationId
  }
}

async function openDesk(lifetime: Lifetime, world: OwnWorld, readers: OrganizationId): Promise<Desk> {
  const web = await startOwnWeb(lifetime, world)
  const { organizationId } = world
  const people: Awaited<ReturnType<typeof web.signIn>>[] = []
  for (let at = 0; at < WRITERS; at++) people.push(seeAllTime(await web.signIn(`person-${at}@example.com`, readers)))
  const { user, cookie } = people[0] as (typeof people)[number]
  const connectionId = await addFilledAccount(user, READ_LINES)
  const [line] = await withSystemSql((sql) =>
    sql<{ id: string }>('select min(id) as id from line where connection_id = $1', [connectionId]),
  )
  const file = await fetch(web.url + LINES_FILE, { headers: { cookie } })
  const bytes = (await file.arrayBuffer()).byteLength
  if (file.status !== 200) throw new CommandError(`The file was answered with ${file.status}.`)
  return {
    url: web.url,
    pid: web.pid,
    cookies: people.map((each) => each.cookie),
    email: (await web.addUser('who-signs-in@example.com', organizationId)).email,
    ledger: { organizationId: user.organizationId, connectionId, lineId: line?.id as string },
    file: { address: LINES_FILE, bytes },
  }
}

async function strike(servers: OwnPatroni, blow: Blow, account: Account, signal: AbortSignal): Promise<Struck> {
  await waitForPages(account, signal)
  const primary = await servers.waitUntilSafe(signal)
  const from = Date.now()
  await delay(BEFORE_MS, undefined, { signal })
  const at = Date.now()
  const victim = blow.hits === 'primary' ? primary : servers.findOther(primary)
  await blow.strike(servers, victim)
  const newPrimaryAfter = blow.hits === 'primary' ? ((await waitForOther(servers, primary, signal)) - at) / 1000 : null
  say(
    `  ${blow.what}: ${newPrimaryAfter === null ? 'the primary stays' : `another one is primary after ${newPrimaryAfter} s`}`,
  )
  await delay(blow.hits === 'primary' ? AWAY_MS : STANDBY_AWAY_MS, undefined, { signal })
  blow.bringBack?.(servers, victim)
  await untilAnswered(() => waitForRuns([account], signal), signal)
  await servers.waitUntilSafe(signal)
  if (!(await servers.isReplica(victim))) throw new CommandError(`${victim} did not come back as a standby.`)
  await delay(AFTER_MS, undefined, { signal })
  return { what: blow.what, from, blow: at, to: Date.now(), newPrimaryAfter }
}

async function waitForPages({ organizationId, connectionId }: Account, signal: AbortSignal): Promise<void> {
  for (; ; await delay(200, undefined, { signal })) {
    const first = await withTenantSql(organizationId, (sql) =>
      sql('select from line where organization_id = $1 and connection_id = $2 limit 1', [organizationId, connectionId]),
    )
    if (first.length > 0) return
  }
}

async function waitForOther(servers: OwnPatroni, primary: string, signal: AbortSignal): Promise<number> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await delay(100, undefined, { signal })) {
    const now = await servers.findPrimary()
    if (now !== null && now !== primary) return Date.now()
  }
  throw new CommandError('No other server took over.')
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

const isRunning = ({ exited }: ManagedProcess) => Promise.race([exited.then(() => false), delay(0, true)])

type Measured = {
  tried: Tried
  lines: number
  struck: Struck[]
  answers: Answer[]
  writes: Writes
  pages: SeenPages
  alive: { web: boolean; worker: boolean }
  runs: Runs
}

function report({
  tried: { subject, servers, told },
  lines,
  struck,
  answers,
  writes,
  pages,
  alive,
  runs,
}: Measured): void {
  const row = rowsOf(subject)
  const acknowledged = writes.sent.filter(({ status }) => status === 200)
  const endsOf = (asked: Asked) =>
    answers.filter((each) => each.asked === asked && each.isGood).map(({ ended }) => ended)
  const kinds: Record<string, number[]> = {
    'an answered page': endsOf('page'),
    'a sign-in': endsOf('sign-in'),
    'an acknowledged comment': acknowledged.map(({ at }) => at),
    'a whole file': endsOf('file'),
    [COMMITTED]: pages.moments,
  }
  const toText = ({ seconds, usual }: Gap) => `${seconds.toFixed(1)} s (before: ${usual.toFixed(1)} s)`
  const cutShort = answers.filter(({ said }) => said === 'cut short').length
  const unanswered = writes.sent.length - acknowledged.length
  writeReport({
    subject,
    data: { lines, struck, answers, writes, pages, runs },
    figures: [
      ...struck.flatMap((each) => [
        ...(each.newPrimaryAfter === null
          ? []
          : [row(`${each.what}: until another server is written to`, `${each.newPrimaryAfter.toFixed(1)} s`)]),
        ...Object.entries(kinds).map(([name, moments]) => {
          const gap = findGap(moments, each)
          const most = name === COMMITTED ? TAKEN_OVER_WITHIN + LEASE_SECONDS : TAKEN_OVER_WITHIN
          return row(`${each.what}: longest time without ${name}`, toText(gap), `<= ${most} s`, gap.seconds <= most)
        }),
      ]),
      row(
        'comments that were acknowledged and are not there',
        `${writes.lost} of ${acknowledged.length}`,
        '0',
        writes.lost === 0,
      ),
      row('comments that are there twice', `${writes.twice}`, '0', writes.twice === 0),
      row(
        'comments without an acknowledgement, of which are there',
        `${unanswered}, ${writes.unacknowledgedButThere}`,
        `<= ${WRITERS} who write at once, each time`,
        writes.unacknowledgedButThere <= WRITERS * struck.length,
      ),
      row(
        'pages of syncs that were seen as committed and are not there',
        `${pages.lost} of ${pages.moments.length}`,
        '0',
        pages.lost === 0,
      ),
      row(
        'backfills that went on by themselves and succeeded',
        `${runs.succeeded}`,
        `all ${runs.accounts}`,
        runs.succeeded === runs.accounts,
      ),
      ...toRunRows(row, runs, 'these accounts'),
      row('files that ended as if they were whole, and are not', `${cutShort}`, '0', cutShort === 0),
      row(
        'web server and worker that went on without a restart',
        `${Number(alive.web) + Number(alive.worker)}`,
        '2',
        alive.web && alive.worker,
      ),
      row('how pages, sign-ins, files and comments were refused meanwhile', countRefusals(answers, writes)),
    ],
    notes: [
      `etcd, ${servers} under Patroni with synchronous replication, haproxy, a web server, a worker, the platform and who asks: all on the same two cores, with the files docs/deploy/patroni.yml and haproxy.cfg but for addresses, folders and passwords. etcd has one member here; three are meant to be.`,
      `Each time the first backfill of an account of ${lines.toLocaleString('en')} lines is under way, at the platform's usual ${CALLS_PER_SECOND} calls a second, while two people read pages, two comment, one signs in and one takes a file of ${READ_LINES.toLocaleString('en')} lines along, again and again, whatever the answer.`,
      'The longest time without one begins with the last good answer before the blow, or any later one; “before” is the longest in the ten seconds before it. A file counts once it is whole, so the time that it takes itself is in: three to ten seconds. Seconds follow from Patroni’s ttl of 20 and loop_wait of 5, and from the moment in a turn at which the blow falls.',
      told,
      'A page of a sync counts as acknowledged once somebody beside sees it: each is noted with its moment of commit, and looked for at the end.',
    ],
  })
}

function countRefusals(answers: Answer[], { sent }: Writes): string {
  const said = [
    ...answers.filter(({ isGood }) => !isGood).map((each) => `${each.asked}: ${each.said}`),
    ...sent
      .filter(({ status }) => status !== 200)
      .map(({ status, code }) => `comment: ${code ?? status ?? 'broken off'}`),
  ]
  const counts = new Map<string, number>()
  for (const each of said) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].map(([text, count]) => `${text} (${count})`).join(', ')
}
