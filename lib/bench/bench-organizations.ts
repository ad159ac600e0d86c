/**
 * `npm run bench -- organizations [--lines 200000] [--organizations 200] [--rounds 3]
 * [--cluster postgresql://…]`: many organizations of very different size on one PostgreSQL, and
 * with `--cluster` on a Citus cluster in the same sitting, once its tables have taken their places
 * with all that is in them: summaries beside DuckDB (P3), the file beside `psql \copy` (P5), pages
 * (P19), backfills of 40 at once, and shards that move while people read and organizations sync.
 * `--cluster`: the superuser at the coordinator of one to try things on, which makes a database of
 * its own there, and is the one PostgreSQL first. Needs Debian's postgresql.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { distribute } from '#lib/db/cluster/distribute.ts'
import { compareFigures } from '#lib/ledger/kept/compare-figures.ts'
import { type OwnWeb, startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { findPsql } from './bench-report.ts'
import { compareAnswers } from './desk/desk-answers.ts'
import { listPages, readLedger } from './desk/desk-pages.ts'
import { openDuckDb } from './desk/desk-peer.ts'
import { QUESTIONS, toAddress } from './desk/desk-questions.ts'
import { copyByPsql, download, requireSameRows } from './desk/export-peer.ts'
import { readRuns } from './fleet/read-runs.ts'
import { type Account, addAccounts } from './fleet/sync-waves.ts'
import { readNewWords } from './organizations/engine-words.ts'
import { type Engine, type EngineDatabase, openCluster, openPlain } from './organizations/engines.ts'
import { type Filled, fillOrganizations } from './organizations/fill.ts'
import { grow } from './organizations/grow.ts'
import { countRuns, waitUntilEnded } from './organizations/keep-syncing.ts'
import type { Backfills, Measured, Summaries, WholeFile } from './organizations/measured.ts'
import { type PagesRead, type Reader, readPages } from './organizations/read-pages.ts'
import { sizesOf } from './organizations/sizes.ts'
import { reportOrganizations } from './organizations-report.ts'
import { seeAllTime } from './ui/see-all-time.ts'

const USAGE =
  'Usage: npm run bench -- organizations [--lines 200000] [--organizations 200] [--rounds 3] [--cluster postgresql://superuser@coordinator:5432/database]'
/** Of the account that each of those connects which are read for the first time. */
const ACCOUNT_LINES = 2_000
const BACKFILLS = 40
const WORKERS = 2
/** Whose people read: the largest, and some far behind it. */
const RANKS = [1, 10, 50, 200]
/** Shards of so many organizations are moved. */
const MOVED = 2
const COMPARED = 3
/** Of each page, in each round. */
const PAGE_REQUESTS = 3

/** @throws CommandError when an answer or a file is not the peer's, or without `psql`. */
export async function benchOrganizations(lifetime: Lifetime, args: string[]): Promise<void> {
  const options = {
    lines: { type: 'string' },
    organizations: { type: 'string' },
    rounds: { type: 'string' },
    cluster: { type: 'string' },
  } as const
  const { values } = parseArgs({ args, options })
  const [lines, count, rounds] = [
    Number(values.lines ?? 200_000),
    Number(values.organizations ?? 200),
    Number(values.rounds ?? 3),
  ]
  if (!(lines >= 10_000 && count >= 10 && rounds >= 1)) throw new CommandError(USAGE)
  if (findPsql() === null) throw new CommandError('This benchmark needs psql (package postgresql-client).')
  const { cluster } = values
  const { world, database } = await openSitting(lifetime, cluster)
  const sizes = sizesOf(lines, count)
  say(`  lines of ${count} organizations are made`)
  const [fillSeconds, organizations] = await timed(() =>
    fillOrganizations(database.superuser, sizes, world.addOrganization),
  )
  say(`  filled in ${fillSeconds.toFixed(0)} s`)
  const sitting = {
    lines,
    sizes,
    rounds,
    fillSeconds,
    pageRequests: rounds * PAGE_REQUESTS,
    backfills: { count: BACKFILLS, lines: ACCOUNT_LINES },
  }
  const measuring = { world, database, organizations, rounds }
  const one = await measure(lifetime, { engine: 'PostgreSQL', ...measuring })
  // after each part: a run over many lines takes hours, and what follows may be refused
  reportOrganizations({ ...sitting, placedSeconds: null, measured: [one.measured], grown: null })
  if (cluster === undefined) return
  await one.web.stop()
  say('  the tables take their places on the cluster, with all that is in them')
  const [placedSeconds] = await timed(() => distribute(database.owner))
  say(`  placed in ${placedSeconds.toFixed(0)} s`)
  const { measured, web, readers, accounts } = await measure(lifetime, { engine: 'Citus', ...measuring })
  const both = { ...sitting, placedSeconds, measured: [one.measured, measured] }
  reportOrganizations({ ...both, grown: null })
  say('  shards move')
  const [largest] = organizations as [Filled]
  const grown = await grow(lifetime, {
    world,
    database,
    readers,
    accounts,
    url: web.url,
    filled: organizations.map(({ organizationId }) => organizationId),
    moved: [largest, ...accounts].slice(0, MOVED).map(({ organizationId }) => organizationId),
  })
  reportOrganizations({ ...both, grown })
}

/** An empty database, on one PostgreSQL or at the coordinator of a cluster with none of it yet. */
async function openSitting(lifetime: Lifetime, cluster: string | undefined) {
  let database: EngineDatabase | undefined
  const world = await openOwnWorld(lifetime, {
    account: 'nordlicht',
    size: { kind: 'huge', lines: ACCOUNT_LINES },
    keptPageBytes: 2 ** 28,
    pageSize: 50,
    workerFlags: [],
    openDatabase: async (folder) => {
      database = await (cluster === undefined ? openPlain(lifetime, folder) : openCluster(lifetime, cluster))
      return { owner: database.both }
    },
  })
  return { world, database: database as EngineDatabase }
}

async function timed<T>(work: () => Promise<T>): Promise<[seconds: number, result: T]> {
  const began = performance.now()
  const result = await work()
  return [(performance.now() - began) / 1000, result]
}

type Measuring = {
  engine: Engine
  world: OwnWorld
  database: EngineDatabase
  organizations: readonly Filled[]
  rounds: number
}

/** `readers`: with the pages that were whole. `accounts`: those that were connected for it. */
type MeasuredEngine = { measured: Measured; web: OwnWeb; readers: Reader[]; accounts: Account[] }

async function measure(lifetime: Lifetime, measuring: Measuring): Promise<MeasuredEngine> {
  const { engine, world, database, organizations, rounds } = measuring
  const { superuser, worker } = database
  const web = await startOwnWeb(lifetime, world, { databaseUrl: database.web })
  const readers = await addReaders(web, organizations, engine)
  const [largest, first] = [organizations[0] as Filled, readers[0] as Reader]
  say(`  ${engine}: summaries and the file of the largest one`)
  const summaries = await measureSummaries(world, web, { largest, cookie: first.cookie, rounds })
  const file = await measureFile(world, web, { superuser, largest, cookie: first.cookie, rounds })
  say(`  ${engine}: pages`)
  const pages = new Map<string, PagesRead>()
  for (const reader of readers) pages.set(reader.name, await readPages(web, reader, rounds * PAGE_REQUESTS))
  say(`  ${engine}: ${BACKFILLS} organizations connect an account at once`)
  const accounts = await addAccounts(world, BACKFILLS)
  // of an organization that was there before, too: on a cluster its rows have moved
  const compared = [...accounts.slice(0, COMPARED - 1), ...organizations.slice(-1)]
  const backfills = await timeBackfills(lifetime, world, { worker, accounts, compared })
  return {
    measured: { engine, summaries, file, pages, backfills },
    web,
    readers: readers.map((each) => onlyWhole(each, pages.get(each.name))),
    accounts,
  }
}

async function addReaders(web: OwnWeb, organizations: readonly Filled[], engine: Engine): Promise<Reader[]> {
  const readers: Reader[] = []
  for (const rank of RANKS) {
    const organization = organizations[rank - 1]
    if (organization === undefined) continue
    const { organizationId, connectionId, lines } = organization
    const { cookie } = seeAllTime(
      await web.signIn(`reader-${rank}-of-${engine.toLowerCase()}@example.com`, organizationId),
    )
    const all = listPages(await readLedger(organizationId, connectionId), lines)
    // the largest one's people ask for everything, the others for what the links at the top lead to
    const pages = all.filter(({ address }) => rank === 1 || !address.includes('?'))
    readers.push({ name: `organization ${rank} (${lines.toLocaleString('en')} lines)`, cookie, pages })
  }
  return readers
}

/** What people open while shards move: what they could open before. */
function onlyWhole(reader: Reader, read: PagesRead | undefined): Reader {
  return { ...reader, pages: reader.pages.filter(({ name }) => read?.times.has(name) && !read.refused.has(name)) }
}

type Of = { largest: Filled; cookie: string; rounds: number }

async function measureSummaries(world: OwnWorld, web: OwnWeb, { largest, cookie, rounds }: Of): Promise<Summaries> {
  const duck = await openDuckDb(largest.organizationId, world.folder)
  const summaries: Summaries = { answers: [], refused: new Map() }
  for (const question of QUESTIONS.filter(({ kind }) => kind === 'summary')) {
    const words = readNewWords(web.logFile)
    const { status } = await fetch(web.url + toAddress(question), { headers: { cookie } })
    if (status === 200) summaries.answers.push(await compareAnswers(web, cookie, duck, question, rounds))
    else summaries.refused.set(question.name, await words(`status ${status}`))
  }
  duck.closeSync()
  return summaries
}

/** Both in turn, each into a file: the first two are compared before a time counts. */
async function measureFile(
  { folder }: OwnWorld,
  web: OwnWeb,
  { superuser, largest, cookie, rounds }: Of & { superuser: string },
): Promise<WholeFile> {
  const [ours, peer] = [join(folder, 'ours.csv'), join(folder, 'peer.csv')]
  const file: WholeFile = { ours: [], copies: [], refused: null }
  for (let round = 1; round <= rounds; round++) {
    // policies do not bind a superuser: a cluster would not pass a setting of the connection on
    const { organizationId } = largest
    file.copies.push(await copyByPsql({ organizationId, databaseUrl: superuser }, peer))
    const words = readNewWords(web.logFile)
    try {
      file.ours.push(await download(web, { cookie }, ours))
    } catch (thrown) {
      file.refused = await words((thrown as Error).message)
      return file
    }
    if (round === 1) await requireSameRows(ours, peer, largest.lines)
  }
  return file
}

type Compared = Pick<Account, 'organizationId' | 'connectionId'>

async function timeBackfills(
  lifetime: Lifetime,
  world: OwnWorld,
  { worker, accounts, compared }: { worker: string; accounts: Account[]; compared: readonly Compared[] },
): Promise<Backfills> {
  const workers = Array.from({ length: WORKERS }, () => world.startWorker(worker))
  lifetime.onEnd('Workers', async (isForced) => {
    await Promise.all(workers.map((each) => each.stop(isForced)))
  })
  const begin = performance.now()
  await waitUntilEnded(accounts)
  const seconds = (performance.now() - begin) / 1000
  await Promise.all(workers.map((each) => each.stop(false)))
  const backfills = { seconds, ended: await countRuns(accounts), runs: await readRuns(world, accounts, []) }
  try {
    let wrong = 0
    for (const { organizationId, connectionId } of compared)
      wrong += (await compareFigures(organizationId, connectionId)).length
    return { ...backfills, figures: `${wrong}` }
  } catch (thrown) {
    return { ...backfills, figures: (thrown as Error).message }
  }
}
