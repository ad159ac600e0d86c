/**
 * `npm run bench -- close [--lines 1000000] [--rounds 5]`: months that are signed: the page of all
 * of them and of one (P17, P7), the dry run and the signature of the largest month beside a bare
 * hash of its rows, bridges between two moments beside DuckDB, and an evidence pack beside the file
 * of the same lines.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { provideBrowser } from '#lib/cli/test/test-browser.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { SignOffPreview } from '#lib/ledger/close/sign-off.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { addFilledAccount, noteLedger } from '#lib/world/fill-ledger.ts'
import { startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf, readResidentBytes } from '#lib/world/process-figures.ts'
import { writeReport } from './bench-report.ts'
import { type BridgeQuestion, type BridgeTimes, compareBridges, openBridgePeer } from './bridge-peer.ts'
import { readText, timeOf, toMs } from './desk/desk-answers.ts'
import { type DeskPage, percentile95, timePages } from './desk/desk-pages.ts'
import { openBrowser, openPage, timeInteraction } from './ui/slow-browser.ts'

const USAGE = 'Usage: npm run bench -- close [--lines 1000000] [--rounds 5]'
const PAGE_REQUESTS = 20
const PAGE_LIMIT_MS = 300
const INPUTS = 8
const MEGABYTE = 2 ** 20
/** So long sealing may take for so many lines. */
const SEAL_LIMIT_MS = 10_000
const SEAL_LINES = 100_000
const PACK_LINES = 50_000
/** One invoice in so many has changed before the month was signed, and since. */
const [CHANGED_BEFORE, CHANGED_SINCE] = [50, 250]

type Month = { month: string; lines: number }
type Site = { url: string; organizationId: OrganizationId; connectionId: ConnectionId; cookie: string }
type Sealing = { lines: number; previews: number[]; prepared: number[]; hashes: number[] }
type Packing = { lines: number; seconds: number; fileMs: number; workerMb: number; typesetterMb: number; bytes: number }

/** @throws CommandError when a figure is not DuckDB's, or an answer is not what was asked for. */
export async function benchClose(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, rounds: { type: 'string' } } })
  const [lines, rounds] = [Number(values.lines ?? 1_000_000), Number(values.rounds ?? 5)]
  if (!(lines >= 10_000 && rounds >= 1)) throw new CommandError(USAGE)
  await provideBrowser('whole', lifetime.signal)
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const web = await startOwnWeb(lifetime, world)
  const { user, cookie } = await web.signIn('prepares@example.com')
  const approver = await web.signIn('approves@example.com', user.organizationId)
  await withSystemSql((sql) => sql(`update app_user set role = 'approver' where id = $1`, [approver.user.userId]))
  say(`  ${lines} lines are made`)
  const connectionId = await addFilledAccount(user, lines, { isSeenByIssue: true })
  const site: Site = { url: web.url, organizationId: user.organizationId, connectionId, cookie }
  const months = await listMonths(site)
  const largest = months.toSorted((a, b) => b.lines - a.lines)[0] as Month
  const packed = months.toSorted((a, b) => Math.abs(a.lines - PACK_LINES) - Math.abs(b.lines - PACK_LINES))[0] as Month

  say('  changes before anything is signed')
  await changeSome(site, CHANGED_BEFORE, true)
  const sealing = await timeSealing(site, largest, rounds)
  const scope: PeriodScope<ConnectionId> = { kind: 'connection_month', connectionId, month: largest.month }
  const signedAt = await closeMonth(site, approver.cookie, scope)
  say('  changes after it')
  await changeSome(site, CHANGED_SINCE, false)
  const pages = await timePages(web.url, cookie, listClosePages(site, largest.month), PAGE_REQUESTS)
  for (const [name, times] of pages) say(`  ${name}: p95 ${toMs(percentile95(times))}`)
  const questions = listQuestions(site, largest.month, signedAt)
  const duck = await openBridgePeer(site.organizationId, world.folder)
  const bridges: BridgeTimes[] = []
  for (const question of questions) bridges.push(await compareBridges(site.organizationId, duck, question, rounds))
  duck.closeSync()
  for (const { name, ours, duck } of bridges) say(`  ${name}: ${toMs(medianOf(ours))}, DuckDB ${toMs(medianOf(duck))}`)
  const bridgePages = await timePages(web.url, cookie, questions.map(toPage), PAGE_REQUESTS)
  for (const [name, times] of bridgePages) say(`  ${name}: p95 ${toMs(percentile95(times))}`)
  const inputs = await timeInputs(lifetime, site)
  const packing = await timePack(world, site, packed)
  report({ lines, rounds, largest, sealing, pages, bridges, bridgePages, inputs, packing })
}

async function listMonths({ organizationId }: Site): Promise<Month[]> {
  return withSystemSql((sql) =>
    sql<Month>(
      `select to_char(issuing_date, 'YYYY-MM') as month, count(*)::int as lines from line where organization_id = $1 group by 1`,
      [organizationId],
    ),
  )
}

async function post<Answer>(
  { url, cookie }: Pick<Site, 'url' | 'cookie'>,
  path: string,
  body: object,
): Promise<Answer> {
  const headers = { cookie, origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (reply.status !== 200) throw new CommandError(`${path} was answered with ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as Answer
}

/** Prepares with every reason that it asks for; resolves to the sign-off and its moment. */
async function prepare(site: Site, scope: PeriodScope, { sealHex, open }: SignOffPreview) {
  const residuals = open.map((each) => ({ ...each, reason: 'known' }))
  return post<{ id: string; at: string }>(site, '/api/close/prepare', { scope, sealHex, residuals })
}

/** Dry runs, signatures that are withdrawn, and a hash of the same rows as texts, in turns. */
async function timeSealing(site: Site, { month, lines }: Month, rounds: number): Promise<Sealing> {
  const scope: PeriodScope = { kind: 'connection_month', connectionId: site.connectionId, month }
  const sealing: Sealing = { lines, previews: [], prepared: [], hashes: [] }
  for (let round = 0; round < rounds; round++) {
    let preview: SignOffPreview | undefined
    sealing.previews.push(
      await timeOf(async () => {
        preview = await post<SignOffPreview>(site, '/api/close/preview', { scope, step: 'prepared' })
      }),
    )
    if (preview?.lineCount !== lines) throw new CommandError(`${month} has ${lines} lines, not ${preview?.lineCount}.`)
    const begin = performance.now()
    const { id } = await prepare(site, scope, preview)
    sealing.prepared.push(performance.now() - begin)
    await post(site, '/api/close/withdraw', { signOff: id })
    sealing.hashes.push(
      await timeOf(() =>
        withSystemSql((sql) =>
          sql(
            `select sha256(string_agg(sha256(convert_to(l::text, 'UTF8')), '' order by id collate "C")) from line l
             where organization_id = $1 and connection_id = $2 and issuing_date >= $3::date and issuing_date < $3::date + interval '1 month'`,
            [site.organizationId, site.connectionId, `${month}-01`],
          ),
        ),
      ),
    )
  }
  say(`  ${lines} lines sealed: ${toMs(medianOf(sealing.prepared))}`)
  return sealing
}

/** Prepared, approved and locked; resolves to the moment of the approval, as addresses have it. */
async function closeMonth(site: Site, approver: string, scope: PeriodScope): Promise<string> {
  const preview = await post<SignOffPreview>(site, '/api/close/preview', { scope, step: 'prepared' })
  await prepare(site, scope, preview)
  const other = { ...site, cookie: approver }
  const { sealHex } = await post<SignOffPreview>(other, '/api/close/preview', { scope, step: 'approved' })
  await post(other, '/api/close/approve', { scope, sealHex })
  await post(other, '/api/close/lock', { scope })
  const [row] = await withSystemSql((sql) =>
    sql<{ at: string }>(
      `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from sign_off
       where organization_id = $1 and step = 'approved'`,
      [site.organizationId],
    ),
  )
  return row?.at as string
}

/**
 * Every line of one invoice in so many has another total, and one line in fifty times as many is
 * gone. `isOld`: as if that had been twenty days after they came.
 */
async function changeSome({ organizationId, connectionId }: Site, oneIn: number, isOld: boolean): Promise<void> {
  await withSystemSql(async (sql) => {
    const own = `organization_id = $1 and missing_since is null`
    await sql(
      `update line set total_amount = total_amount + 0.01, content_hash = md5(content_hash)
       where ${own} and abs(hashtext(invoice_serial_number || $2)) % $3::int = 0`,
      [organizationId, `${isOld}`, oneIn],
    )
    await sql(`update line set missing_since = now() where ${own} and abs(hashtext(id || $2)) % ($3::int * 50) = 0`, [
      organizationId,
      `${isOld}`,
      oneIn,
    ])
    if (isOld)
      await sql(
        `update line_past p set until = l.first_seen_at + interval '20 days'
         from line l where p.organization_id = $1 and l.organization_id = $1 and l.connection_id = p.connection_id and l.id = p.line_id`,
        [organizationId],
      )
  })
  await noteLedger({ organizationId, connectionId })
  for (const table of ['line', 'line_past', 'drift', 'plain_invoice'])
    await withSystemSql((sql) => sql(`analyze ${table}`))
}

function listClosePages({ connectionId }: Site, month: string): DeskPage[] {
  const of = (profile: string) => `/close?${new URLSearchParams({ period: month, profile })}`
  return [
    { name: 'overview, the peer', address: '/?period=all' },
    { name: 'close', address: '/close?until=2026-11' },
    { name: `close, the account's ${month}`, address: of(connectionId) },
    { name: `close, ${month} of a profile`, address: of(`${connectionId}~profile-0`) },
  ]
}

function listQuestions({ connectionId }: Site, month: string, signedAt: string): BridgeQuestion[] {
  const isOfMonth = `strftime(issuing_date, '%Y-%m') = '${month}'`
  const [february, august] = ['2026-02-01T00:00:00Z', '2026-08-01T00:00:00Z']
  const sinceSigned = { from: signedAt, to: 'now' }
  return [
    {
      name: 'the signed month, since it was signed',
      search: { connection: connectionId, period: month, ...sinceSigned },
      where: isOfMonth,
    },
    {
      name: 'a profile, since the month was signed',
      search: { profile: 'profile-1', ...sinceSigned },
      where: `profile_id = 'profile-1'`,
    },
    { name: 'the whole ledger, since the month was signed', search: sinceSigned, where: 'true' },
    {
      name: 'a cost center, since February',
      search: { cost_center: '4010 Department 1', from: february, to: 'now' },
      where: `cost_center = '4010 Department 1'`,
    },
    {
      name: 'a profile, since February',
      search: { profile: 'profile-1', from: february, to: 'now' },
      where: `profile_id = 'profile-1'`,
    },
    { name: 'the whole ledger, since February', search: { from: february, to: 'now' }, where: 'true' },
    { name: 'the whole ledger, February to August', search: { from: february, to: august }, where: 'true' },
    {
      name: 'the whole ledger since February, with the lines that came',
      search: { from: february, to: 'now', part: 'new' },
      where: 'true',
    },
  ]
}

const toPage = ({ name, search }: BridgeQuestion): DeskPage => ({
  name: `bridge: ${name}`,
  address: `/changes/bridge?${new URLSearchParams(search)}`,
})

/** From a key or a click in the table of months to the next paint, on a slow machine. */
async function timeInputs(lifetime: Lifetime, { url, cookie }: Site): Promise<number[]> {
  const browser = await openBrowser()
  lifetime.onEnd('browser', () => browser.close())
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const at = cookie.indexOf('=')
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }])
  const page: Page = await openPage(context, { withNetwork: false })
  await page.goto(`${url}/close?until=2026-11`, { waitUntil: 'networkidle' })
  const cells = page.getByRole('table', { name: 'Months by profile' }).locator('td > a')
  const times: number[] = []
  for (let input = 0; input < INPUTS; input++) {
    times.push(await timeInteraction(page, () => cells.nth(input).click()))
    for (const key of ['ArrowDown', 'ArrowUp']) times.push(await timeInteraction(page, () => page.keyboard.press(key)))
  }
  await context.close()
  return times
}

/** A pack of a month by a worker, and the file of the month's lines over HTTP. */
async function timePack(world: OwnWorld, site: Site, { month, lines }: Month): Promise<Packing> {
  const fileMs = await timeOf(() => readText(`${site.url}/api/export/lines?period=${month}`, site.cookie))
  const worker = world.startWorker()
  await waitForIdle()
  const before = { own: readResidentBytes(worker.pid) ?? 0 }
  const most = { own: before.own, child: 0 }
  const { pack } = await post<{ pack: { id: string } }>(site, '/api/packs', {
    kind: 'connection_month',
    connection: site.connectionId,
    month,
  })
  const begin = performance.now()
  for (;;) {
    await delay(50)
    most.own = Math.max(most.own, readResidentBytes(worker.pid) ?? 0)
    most.child = Math.max(most.child, ...listChildren(worker.pid).map((pid) => readResidentBytes(pid) ?? 0))
    const [row] = await withSystemSql((sql) =>
      sql<{ state: string; size: number | null }>('select state, size::int from pack where id = $1', [pack.id]),
    )
    if (row?.state === 'failed') throw new CommandError('The pack could not be made.')
    if (row?.state !== 'made') continue
    const seconds = (performance.now() - begin) / 1000
    await worker.stop(false)
    const [workerMb, typesetterMb] = [(most.own - before.own) / MEGABYTE, most.child / MEGABYTE]
    return { lines, seconds, fileMs, workerMb, typesetterMb, bytes: row.size ?? 0 }
  }
}

/** The small account beside the large one is read first. */
async function waitForIdle(): Promise<void> {
  for (;;) {
    await delay(500)
    const [run] = await withSystemSql((sql) =>
      sql<{ count: number }>(`select count(*)::int as count from sync_run where status in ('queued', 'running')`),
    )
    if (run?.count === 0) return
  }
}

/** Linux only. */
function listChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    // it has ended, or another system
    return []
  }
}

type Measured = {
  lines: number
  rounds: number
  largest: Month
  sealing: Sealing
  pages: Map<string, number[]>
  bridges: BridgeTimes[]
  bridgePages: Map<string, number[]>
  inputs: number[]
  packing: Packing
}

function report(measured: Measured): void {
  const { lines, rounds, largest, sealing, pages, bridges, bridgePages, inputs, packing } = measured
  const count = (number: number) => number.toLocaleString('en')
  const limit = SEAL_LIMIT_MS * Math.max(1, sealing.lines / SEAL_LINES)
  const hash = medianOf(sealing.hashes)
  const toSeal = (what: string, times: number[]) => ({
    goal: '–',
    what: `${what} of ${largest.month}, ${count(sealing.lines)} lines, against a hash of the same rows as texts`,
    measured: `${toMs(medianOf(times))}, ${(medianOf(times) / hash).toFixed(1)}x`,
    target: `<= ${toMs(limit)}`,
    isMet: medianOf(times) <= limit,
  })
  const toLimited = ([name, times]: [string, number[]]) => ({
    goal: 'P17',
    what: `${name}, p95 of ${times.length}`,
    measured: toMs(percentile95(times)),
    target: `<= ${PAGE_LIMIT_MS} ms`,
    isMet: percentile95(times) <= PAGE_LIMIT_MS,
  })
  const toRatio = ({ name, ours, duck }: BridgeTimes) => {
    const ratio = medianOf(ours) / medianOf(duck)
    return {
      goal: 'P4',
      what: `bridge: ${name}, against what stood at both moments by DuckDB`,
      measured: `${ratio.toFixed(2)}x (${toMs(medianOf(ours))} against ${toMs(medianOf(duck))})`,
      target: '<= 5x',
      isMet: ratio <= 5,
    }
  }
  const p75 = inputs.toSorted((a, b) => a - b)[Math.ceil(inputs.length * 0.75) - 1] as number
  writeReport({
    subject: 'close',
    data: { ...measured, pages: Object.fromEntries(pages), bridgePages: Object.fromEntries(bridgePages) },
    figures: [
      toSeal('the dry run', sealing.previews),
      toSeal('preparing', sealing.prepared),
      ...[...pages].map(toLimited),
      {
        goal: 'P7',
        what: `close: a month is chosen, cells by arrow keys: input to next paint, p75 of ${inputs.length}`,
        measured: toMs(p75),
        target: '<= 100 ms',
        isMet: p75 <= 100,
      },
      ...bridges.map(toRatio),
      ...[...bridgePages].map(toLimited),
      {
        goal: '–',
        what: `a pack of ${count(packing.lines)} lines, against the file of the same lines`,
        measured: `${packing.seconds.toFixed(1)} s, ${((packing.seconds * 1000) / packing.fileMs).toFixed(1)}x; ${(packing.bytes / MEGABYTE).toFixed(1)} MB`,
        target: '–',
        isMet: null,
      },
      {
        goal: '–',
        what: 'memory for it: the worker grew by, and the typesetter',
        measured: `${packing.workerMb.toFixed(0)} MB, ${packing.typesetterMb.toFixed(0)} MB`,
        target: '–',
        isMet: null,
      },
    ],
    notes: [
      `${count(lines)} lines made by the database, each come on its day of issue. Of one invoice in ${CHANGED_BEFORE} all lines have changed once, and of one in ${CHANGED_SINCE} once more since ${largest.month} was locked; one line in fifty times as many is gone. Medians of ${rounds} rounds in turn.`,
      'Before the times of a bridge count: what stood at both moments is what DuckDB says, with the same lines and totals. It compares both moments in memory, two threads, and does not say why they differ.',
      'Web server, PostgreSQL and the asking process share the cores; Chromium with the processor slowed down four times.',
    ],
  })
}
