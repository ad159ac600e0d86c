/**
 * `npm run bench -- review [--lines 1000000]`: previews, decisions and undos of many lines over
 * HTTP, applied by a worker, with pages beside them (P17); and what the trigger that lets decisions
 * fall costs a change of lines, beside the same change without it, and a whole sync that changes
 * every line of another account.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { DecisionPreview } from '#lib/ledger/model.ts'
import { addFilledAccount } from '#lib/world/fill-ledger.ts'
import { startOwnWeb } from '#lib/world/own-web.ts'
import { openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { writeReport } from './bench-report.ts'
import { timeOf, toMs } from './desk/desk-answers.ts'
import { type DeskPage, percentile95, timePages } from './desk/desk-pages.ts'
import { type SyncTimes, timeDecidedSyncs } from './review-sync.ts'

const USAGE = 'Usage: npm run bench -- review [--lines 1000000]'
const PREVIEWS = 5
const PAGE_REQUESTS = 20
const FIRST_REQUESTS = 3
const PAGE_LIMIT_MS = 300
const CHANGED_LINES = 2000
const CHANGES = 15
const SYNCED_LINES = 100_000

const PAGES: DeskPage[] = [
  { name: 'the review', address: '/review?period=all' },
  { name: 'the review, done', address: '/review?period=all&tab=done' },
  { name: 'decisions', address: '/decisions' },
  { name: 'lines', address: '/lines?period=all' },
]

type Asked = { kind: string; search?: string; decision?: string }
type Applied = { answered: number; applied: number; lineCount: number; number: string }

/** @throws CommandError when an answer is not what was asked for. */
export async function benchReview(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' } } })
  const lines = Number(values.lines ?? 1_000_000)
  if (!(lines >= 10_000)) throw new CommandError(USAGE)
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const web = await startOwnWeb(lifetime, world)
  const { user, cookie } = await web.signIn('review@example.com')
  say(`  ${lines} lines are made`)
  await addFilledAccount(user, lines)
  const worker = world.startWorker()
  const post = (path: string, body: object) => postJson(web.url, cookie, path, body)
  const preview = (asked: Asked) => post('/api/review/preview', { asked }) as Promise<DecisionPreview>

  // a tenth of the lines: those of the first days of expense
  const tenth = `to=${await findDay(user.organizationId, 0.1)}&date=expense`
  const most = `to=${await findDay(user.organizationId, 0.9)}&date=expense`
  const previews: { name: string; lineCount: number; times: number[] }[] = []
  for (const [name, search] of Object.entries({ 'a tenth': tenth, 'nine tenths': most })) {
    const times: number[] = []
    let lineCount = 0
    for (let at = 0; at < PREVIEWS; at++)
      times.push(
        await timeOf(async () => {
          lineCount = (await preview({ kind: 'accept', search })).lineCount
        }),
      )
    previews.push({ name, lineCount, times })
    say(`  preview of ${lineCount} lines: ${toMs(medianOf(times))}`)
  }
  const timeAll = (rounds = PAGE_REQUESTS) => timePages(web.url, cookie, PAGES, rounds)
  // a web server that has just started loads its pages with their first requests
  const first = await timeAll(FIRST_REQUESTS)
  const before = await timeAll()

  async function decideAndWait(asked: Asked, reason: string | null): Promise<Applied> {
    const { hash, at, lastDecision } = await preview(asked)
    const begin = performance.now()
    const made = (await post('/api/review/decide', { asked, hash, at, lastDecision, reason })) as {
      number: string
      lineCount: number
    }
    const answered = performance.now() - begin
    while (!(await isApplied(user.organizationId, made.number))) await delay(50)
    return { answered, applied: performance.now() - begin, lineCount: made.lineCount, number: made.number }
  }
  const [accepted, during] = await Promise.all([
    decideAndWait({ kind: 'accept', search: tenth }, 'agreed'),
    delay(1000).then(() => timePages(web.url, cookie, PAGES, 5)),
  ])
  say(`  ${accepted.lineCount} lines accepted in ${toMs(accepted.applied)}`)
  const undone = await decideAndWait({ kind: 'undo', decision: accepted.number }, null)
  say(`  undone in ${toMs(undone.applied)}`)
  let isLargeApplied = false
  const [large, duringLarge] = await Promise.all([
    decideAndWait({ kind: 'accept', search: most }, 'agreed').finally(() => {
      isLargeApplied = true
    }),
    delay(1000).then(async () => {
      const times = await timeAll(1)
      while (!isLargeApplied) for (const [name, own] of await timeAll(1)) times.get(name)?.push(...own)
      return times
    }),
  ])
  say(`  ${large.lineCount} lines accepted in ${toMs(large.applied)}`)
  const after = await timeAll()
  await worker.stop(false)
  const changes = await timeChanges(user.organizationId)
  await withSystemSql((sql) => sql('delete from line_review where organization_id = $1', [user.organizationId]))
  const undecided = await timeChanges(user.organizationId)
  const syncs = await timeDecidedSyncs(lifetime, Math.min(lines, SYNCED_LINES))
  report({
    lines,
    previews,
    accepted,
    undone,
    large,
    first,
    before,
    during,
    duringLarge,
    after,
    changes,
    undecided,
    syncs,
  })
}

async function postJson(url: string, cookie: string, path: string, body: object): Promise<unknown> {
  const headers = { cookie, origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (reply.status !== 200) throw new CommandError(`${path} was answered with ${reply.status}.`)
  return reply.json()
}

/** The day of expense up to which this part of the lines is. */
async function findDay(organizationId: OrganizationId, part: number): Promise<string> {
  const [row] = await withSystemSql((sql) =>
    sql<{ day: string }>(
      `select (percentile_disc($2::float8) within group (order by expense_date))::text as day from line where organization_id = $1`,
      [organizationId, part],
    ),
  )
  return row?.day ?? ''
}

async function isApplied(organizationId: OrganizationId, number: string): Promise<boolean> {
  const [row] = await withSystemSql((sql) =>
    sql<{ state: string }>('select state from decision where organization_id = $1 and number = $2', [
      organizationId,
      number,
    ]),
  )
  return row?.state === 'applied'
}

/** Changes of decided lines with the trigger and without it, in turns. */
async function timeChanges(organizationId: OrganizationId): Promise<Changes> {
  const times: Changes = { on: [], off: [] }
  for (let round = 0; round < CHANGES; round++)
    for (const side of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      await withSystemSql((sql) =>
        sql(`alter table line ${side === 'on' ? 'enable' : 'disable'} trigger t99_suspend_changed`),
      )
      times[side].push(await timeOf(() => change(organizationId, round)))
    }
  return times
}

function change(organizationId: OrganizationId, round: number): Promise<unknown> {
  return withSystemSql((sql) =>
    sql(
      `update line set total_amount = total_amount + 0.01, content_hash = md5(content_hash)
       where organization_id = $1 and (connection_id, id) in (
         select connection_id, id from line where organization_id = $1 order by connection_id, id
         limit ${CHANGED_LINES} offset $2)`,
      [organizationId, round * CHANGED_LINES],
    ),
  )
}

type Changes = { on: number[]; off: number[] }

type Figures = {
  lines: number
  previews: { name: string; lineCount: number; times: number[] }[]
  accepted: Applied
  undone: Applied
  large: Applied
  first: Map<string, number[]>
  before: Map<string, number[]>
  during: Map<string, number[]>
  duringLarge: Map<string, number[]>
  after: Map<string, number[]>
  changes: Changes
  undecided: Changes
  syncs: SyncTimes
}

function report({
  lines,
  previews,
  accepted,
  undone,
  large,
  first,
  before,
  during,
  duringLarge,
  after,
  changes,
  undecided,
  syncs,
}: Figures): void {
  const count = (number: number) => number.toLocaleString('en')
  const limited = (what: string, ms: number, limitMs: number, goal = '–') => ({
    goal,
    what,
    measured: toMs(ms),
    target: `<= ${toMs(limitMs)}`,
    isMet: ms <= limitMs,
  })
  const toRatio = (what: string, { on, off }: Changes) => {
    const ratio = medianOf(on) / medianOf(off)
    return {
      goal: '–',
      what: `${count(CHANGED_LINES)} ${what} lines written anew, with the trigger and without`,
      measured: `${ratio.toFixed(2)}x`,
      target: '<= 1.10x',
      isMet: ratio <= 1.1,
    }
  }
  const pages = (when: string, times: Map<string, number[]>) =>
    [...times].map(([name, own]) => limited(`${name}, ${when}: p95`, percentile95(own), PAGE_LIMIT_MS, 'P17'))
  writeReport({
    subject: 'review',
    data: { lines, previews, accepted, undone, large, changes, undecided, syncs },
    figures: [
      ...previews.map(({ lineCount, times }, at) =>
        limited(`preview of ${count(lineCount)} lines, median`, medianOf(times), at === 0 ? 1000 : 5000),
      ),
      limited(`${count(accepted.lineCount)} lines: the answer`, accepted.answered, 5000),
      limited(`${count(accepted.lineCount)} lines: all applied`, accepted.applied, 30_000),
      limited(`${count(undone.lineCount)} lines taken back`, undone.applied, 30_000),
      limited(`${count(large.lineCount)} lines: all applied`, large.applied, 300_000),
      ...[...first].map(([what, times]) => ({
        goal: '–',
        what: `${what}, the first ${FIRST_REQUESTS} answers of a new web server`,
        measured: times.map(toMs).join(', '),
        target: '–',
        isMet: null,
      })),
      ...pages('nothing decided', before),
      ...pages(`while ${count(accepted.lineCount)} lines are decided`, during),
      ...pages(`while ${count(large.lineCount)} lines are decided`, duringLarge),
      ...pages(`${count(large.lineCount)} lines decided`, after),
      toRatio('decided', changes),
      toRatio('undecided', undecided),
      toSyncRatio(syncs),
      {
        goal: '–',
        what: 'rows of decisions that a sync wrote which changed nothing',
        measured: `${syncs.writtenUnchanged}`,
        target: '0',
        isMet: syncs.writtenUnchanged === 0,
      },
    ],
    notes: [
      `${count(lines)} lines made by the database. Web server, worker, PostgreSQL and the asking process share the cores.`,
    ],
  })
}

function toSyncRatio({ lines, decided, undecided }: SyncTimes) {
  const ratio = medianOf(decided) / medianOf(undecided)
  return {
    goal: '–',
    what: `a sync that changes ${lines.toLocaleString('en')} lines and lets nine tenths of as many decisions fall, against one without decisions`,
    measured: `${ratio.toFixed(2)}x (${toMs(medianOf(decided) * 1000)} against ${toMs(medianOf(undecided) * 1000)})`,
    target: '<= 1.10x',
    isMet: ratio <= 1.1,
  }
}
