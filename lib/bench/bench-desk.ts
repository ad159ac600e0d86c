/**
 * `npm run bench -- desk [--lines 1000000] [--rounds 9] [--backfill 200000]`: summaries and ad-hoc
 * groupings over HTTP beside DuckDB (P3, P4), every page (P17), also while a first backfill runs
 * and right after it, 50 clients beside a backfill (P10), and row-level security (P15).
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { parseGroupQuery } from '#lib/ledger/query/group-query.ts'
import { parseLineQuery } from '#lib/ledger/query/line-query.ts'
import { listGroups } from '#lib/ledger/read/list-groups.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'
import { addFilledAccount } from '#lib/world/fill-ledger.ts'
import { type OwnWeb, startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { writeReport } from './bench-report.ts'
import { type Answer, compareAnswers, readText, timeOf, toMs, WARM_UPS } from './desk/desk-answers.ts'
import { type DeskPage, listPages, percentile95, readLedger, timePages } from './desk/desk-pages.ts'
import { openDuckDb } from './desk/desk-peer.ts'
import { QUESTIONS } from './desk/desk-questions.ts'
import { seeAllTime } from './ui/see-all-time.ts'

const USAGE = 'Usage: npm run bench -- desk [--lines 1000000] [--rounds 9] [--backfill 200000]'
const PAGE_REQUESTS = 20
const CLIENTS = 50
const IDLE_REQUESTS = 10
const SUMMARY = '/api/summaries?by=month,vertical'
const PAGE_LIMIT_MS = 300
/** What the page of a search that finds many asks for when it is there (decision 038). */
const LATE_TOTALS = '/api/summaries?by=currency&q=lisbon'

type Crowd = { idle: number[]; during: number[] }
type Backfill = { during: Map<string, number[]>; after: Map<string, number[]> }
type Guarded = { on: number[]; off: number[] }

/** @throws CommandError when an answer is not DuckDB's, or a page is not the page. */
export async function benchDesk(lifetime: Lifetime, args: string[]): Promise<void> {
  const options = { lines: { type: 'string' }, rounds: { type: 'string' }, backfill: { type: 'string' } } as const
  const { values } = parseArgs({ args, options })
  const [lines, rounds, backfill] = [
    Number(values.lines ?? 1_000_000),
    Number(values.rounds ?? 9),
    Number(values.backfill ?? 200_000),
  ]
  if (!(lines >= 1000 && rounds >= 1 && backfill >= 1000)) throw new CommandError(USAGE)
  const size = { kind: 'huge', lines: backfill } as const
  const world = await openOwnWorld(lifetime, {
    account: 'nordlicht',
    size,
    keptPageBytes: 2 ** 30,
    pageSize: 50,
    workerFlags: [],
  })
  const web = await startOwnWeb(lifetime, world)
  const large = seeAllTime(await web.signIn('large@example.com'))
  const fresh = seeAllTime(await web.signIn('fresh@example.com', world.organizationId))
  const { organizationId } = large.user
  say(`  ${lines} lines are made`)
  const connectionId = await addFilledAccount(large.user, lines)
  const duck = await openDuckDb(organizationId, world.folder)

  const answers: Answer[] = []
  for (const question of QUESTIONS) answers.push(await compareAnswers(web, large.cookie, duck, question, rounds))
  duck.closeSync()
  say('  pages')
  const listed = listPages(await readLedger(organizationId, connectionId), lines)
  const pages = await timePages(web.url, large.cookie, listed, PAGE_REQUESTS)
  for (const [name, times] of pages) say(`  ${name}: p95 ${toMs(percentile95(times))}`)
  const lateTotals: number[] = []
  for (let request = 0; request < PAGE_REQUESTS; request++)
    lateTotals.push(await timeOf(() => readText(web.url + LATE_TOTALS, large.cookie)))
  say('  row-level security on and off')
  const guarded = await compareGuarded(organizationId, rounds)
  say(`  a first backfill of ${backfill} lines`)
  const first = await timeBackfill(world, web, fresh.cookie, backfill)
  say(`  ${CLIENTS} clients beside a backfill`)
  const crowd = await timeCrowd(world, web, large.cookie)
  report({ lines, rounds, backfill, answers, pages, lateTotals, guarded, first, crowd })
}

/**
 * The same two lists with the table's policies and without them, in pairs: who comes first takes
 * turns, and each has been asked once since the policies were switched, so both have their plans.
 */
async function compareGuarded(organizationId: OrganizationId, rounds: number): Promise<Guarded> {
  const days = { from: '2026-03-05', to: '2026-05-17' }
  const groups = parseGroupQuery({ by: 'vertical', ...days })
  const lines = parseLineQuery({ ...days, service: 'hotel' })
  const work = async () => [await listGroups(organizationId, groups), await listLines(organizationId, lines)]
  const times: Guarded = { on: [], off: [] }
  const switches = { on: 'enable', off: 'disable' } as const
  for (let round = 0; round < rounds * 4; round++)
    for (const side of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      await switchPolicies(switches[side])
      await work()
      times[side].push(await timeOf(work))
    }
  await switchPolicies('enable')
  return times
}

function switchPolicies(to: 'enable' | 'disable'): Promise<unknown> {
  return withSystemSql((sql) => sql(`alter table line ${to} row level security`))
}

type Run = { status: string; received: number }

async function readRun({ organizationId }: OwnWorld, connectionId: ConnectionId): Promise<Run> {
  const [run] = await withSystemSql((sql) =>
    sql<Run>(
      `select status, lines_received as received from sync_run
       where organization_id = $1 and connection_id = $2 order by requested_at desc limit 1`,
      [organizationId, connectionId],
    ),
  )
  if (run === undefined || run.status === 'failed' || run.status === 'held')
    throw new CommandError(`The backfill ended as ${run?.status}.`)
  return run
}

/** The pages of the account that is read: from a quarter on, and as soon as it has been read. */
async function timeBackfill(world: OwnWorld, web: OwnWeb, cookie: string, lines: number): Promise<Backfill> {
  const { organizationId, connectionId } = world
  const during = new Map<string, number[]>()
  const worker = world.startWorker()
  try {
    while ((await readRun(world, connectionId)).received < lines / 4) await delay(50)
    const pages = listPages(await readLedger(organizationId, connectionId), lines)
    const isOver = async () => (await readRun(world, connectionId)).status === 'succeeded'
    for (let at = 0; ; at++) {
      const page = pages[at % pages.length] as DeskPage
      const [ms] = (await timePages(web.url, cookie, [page], 1)).get(page.name) as [number]
      if (await isOver()) break
      during.set(page.name, [...(during.get(page.name) ?? []), ms])
    }
    return { during, after: await timePages(web.url, cookie, pages, 3) }
  } finally {
    await worker.stop(false)
  }
}

/**
 * Clients that ask for one summary again and again: with nothing else to do, and while another
 * backfill runs.
 */
async function timeCrowd(world: OwnWorld, web: OwnWeb, cookie: string): Promise<Crowd> {
  const ask = () => timeOf(() => readText(`${web.url}${SUMMARY}`, cookie))
  const crowd = async (next: () => Promise<void>) => void (await Promise.all(Array.from({ length: CLIENTS }, next)))
  const idle: number[] = []
  // the first answers of a server are its slowest
  await crowd(async () => void (await ask()))
  await crowd(async () => {
    for (let request = 0; request < IDLE_REQUESTS; request++) idle.push(await ask())
  })
  const { connectionId } = await world.connect()
  const worker = world.startWorker()
  try {
    while ((await readRun(world, connectionId)).received === 0) await delay(50)
    const during: number[] = []
    let isOver = false
    const asking = crowd(async () => {
      while (!isOver) {
        const ms = await ask()
        if (!isOver) during.push(ms)
      }
    })
    while ((await readRun(world, connectionId)).status !== 'succeeded') await delay(100)
    isOver = true
    await asking
    return { idle, during }
  } finally {
    await worker.stop(false)
  }
}

type Measured = {
  lines: number
  rounds: number
  backfill: number
  answers: Answer[]
  pages: Map<string, number[]>
  lateTotals: number[]
  guarded: Guarded
  first: Backfill
  crowd: Crowd
}

function report({ lines, rounds, backfill, answers, pages, lateTotals, guarded, first, crowd }: Measured): void {
  const count = (number: number) => number.toLocaleString('en')
  const [idle, during] = [percentile95(crowd.idle), percentile95(crowd.during)]
  const overhead = medianOf(guarded.on.map((ms, at) => ms / (guarded.off[at] as number)))
  writeReport({
    subject: 'desk',
    data: {
      lines,
      rounds,
      backfill,
      answers: answers.map(({ question, ...times }) => ({ name: question.name, ...times })),
      pages: Object.fromEntries(pages),
      lateTotals,
      guarded,
      first: { during: Object.fromEntries(first.during), after: Object.fromEntries(first.after) },
      crowd,
    },
    figures: [
      ...answers.map(toRatio),
      ...[...pages].map(([name, times]) => toPage(`page: ${name}, p95 of ${times.length}`, percentile95(times))),
      {
        ...toPage(
          `the totals that "lines, searched, many found" asks for once it is there, p95 of ${lateTotals.length}`,
          percentile95(lateTotals),
        ),
        goal: '–',
        target: '–',
        isMet: null,
      },
      toSlowest(`slowest page from a quarter of a first backfill of ${count(backfill)} lines on`, first.during),
      toSlowest('slowest page right after it', first.after),
      {
        goal: 'P10',
        what: `a summary for ${CLIENTS} clients at once, p95: beside a backfill (${count(crowd.during.length)} answers), against none`,
        measured: `${(during / idle).toFixed(2)}x (${toMs(during)} against ${toMs(idle)})`,
        target: '<= 2x',
        isMet: during / idle <= 2,
      },
      {
        goal: 'P15',
        what: `groups and lines of 74 days with row-level security, against without, median of ${guarded.on.length} pairs`,
        measured: `${overhead.toFixed(2)}x (${toMs(medianOf(guarded.on))} against ${toMs(medianOf(guarded.off))})`,
        target: '<= 1.05x',
        isMet: overhead <= 1.05,
      },
    ],
    notes: [
      `${count(lines)} lines made by the database; medians of ${rounds} answers of ours and of DuckDB in turn, after ${WARM_UPS} of each that do not count: both are hot. Ours: from the request to the last byte of JSON; DuckDB: two threads, in memory, in the process that asks, to the last row as JSON values.`,
      'Before a time counts: both answers have the same cells, with the same lines, totals and findings.',
      'Web server, PostgreSQL and the asking process share the cores; beside a backfill the sandbox and the worker too.',
    ],
  })
}

function toRatio({ question: { kind, name }, ours, duck, cells }: Answer) {
  const [goal, limit] = kind === 'summary' ? (['P3', 0.5] as const) : (['P4', 5] as const)
  const target = `<= ${limit}x`
  const ratio = medianOf(ours) / medianOf(duck)
  return {
    goal,
    what: `${kind}: ${name}, ${cells.toLocaleString('en')} cells`,
    measured: `${ratio.toFixed(2)}x (${toMs(medianOf(ours))} against ${toMs(medianOf(duck))})`,
    target,
    isMet: ratio <= limit,
  }
}

function toPage(what: string, ms: number, detail = '') {
  return {
    goal: 'P17',
    what,
    measured: `${toMs(ms)}${detail}`,
    target: `<= ${PAGE_LIMIT_MS} ms`,
    isMet: ms <= PAGE_LIMIT_MS,
  }
}

/** The page whose p95 is the greatest; the slowest single answer is named beside it. */
function toSlowest(what: string, times: Map<string, number[]>) {
  const slowest = [...times].map(([name, all]) => ({ name, p95: percentile95(all), longest: Math.max(...all), all }))
  const first = [...slowest].sort((a, b) => b.p95 - a.p95)[0]
  const single = [...slowest].sort((a, b) => b.longest - a.longest)[0]
  if (first !== undefined && single !== undefined) {
    const counted = `p95 of ${first.all.length}; ${times.size} pages, ${[...times.values()].flat().length} requests`
    const longest = `the slowest single answer ${toMs(single.longest)}, ${single.name}`
    return toPage(what, first.p95, ` (${first.name}, ${counted}; ${longest})`)
  }
  return { ...toPage(what, 0), measured: 'the backfill ended before one page was read', isMet: null }
}
