/**
 * `npm run bench -- ui [--lines 1000000] [--rounds 5]`: what the pages cost a slow machine: P7, the
 * time from an input to the next paint; P8, the largest paint and layout shift; P9, JavaScript; and
 * the HTML of the lists. Beside a bare TanStack page and AG Grid Community with the same rows.
 */
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { provideBrowser } from '#lib/cli/test/test-browser.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { fillLedger } from '#lib/world/fill-ledger.ts'
import { startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { type Report, writeReport } from './bench-report.ts'
import { readText, WARM_UPS } from './desk/desk-answers.ts'
import { weighFirstScripts } from './ui/first-load.ts'
import { type Peer, type PeerRows, servePeers } from './ui/peers.ts'
import { LEAST_REPORTED_MS, type Load, loadPage, openBrowser, openPage, timeInteraction } from './ui/slow-browser.ts'

const USAGE = 'Usage: npm run bench -- ui [--lines 1000000] [--rounds 5]'
const LEAST_LINES = 10_000
const ROW_STEPS = 8
const TWELVE_COLUMNS = [
  'expense_date',
  'description',
  'travelers',
  'trip',
  'service',
  'cost_center',
  'vendor_name',
  'invoice',
  'tax_amount',
  'total_amount',
  'currency',
  'finding',
]
const SEARCH = 'hotel'

type Weight = { scriptBytes: number; htmlBytes: number }
type PageFigures = Weight & { path: string; loads: Load[] }
type Times = Record<string, number[]>
type PeerFigures = { peer: Peer; loads: Load[]; times: Times }

/** @throws CommandError without a browser, and when a page does not answer. */
export async function benchUi(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, rounds: { type: 'string' } } })
  const [lines, rounds] = [Number(values.lines ?? 1_000_000), Number(values.rounds ?? 5)]
  if (!(lines >= LEAST_LINES && rounds >= 1)) throw new CommandError(USAGE)
  await provideBrowser('whole', lifetime.signal)
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const web = await startOwnWeb(lifetime, world)
  const { cookie } = await web.signIn('ui@example.com', world.organizationId)
  say(`  ${lines} lines are made`)
  await fillLedger(world, lines)

  const browser = await openBrowser()
  lifetime.onEnd('browser', () => browser.close())
  const site: Site = { url: web.url, cookie, browser }
  const peers = await servePeers(lifetime, await readPeerRows(site))
  const view = await saveView(world)
  const pages: PageFigures[] = []
  for (const path of await listPages(world, view)) pages.push({ path, ...(await weigh(site, path)), loads: [] })
  // a server that people use all day has compiled its pages
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) for (const { path } of pages) await readText(web.url + path, cookie)
  const theirs = peers.map((peer): PeerFigures => ({ peer, loads: [], times: {} }))
  const times: Times = {}
  for (let round = 1; round <= rounds; round++) {
    say(`Round ${round} of ${rounds}`)
    for (const page of pages) page.loads.push(await load(site, site.url + page.path))
    for (const each of theirs) each.loads.push(await load(site, each.peer.url))
    await actOnOurs(site, times)
    await actOnView(site, view, times)
    for (const each of theirs) await actOnPeer(site, each)
  }
  // on a processor slowed down four times something takes longer than the least that is reported
  if (Object.values(times).every((all) => all.every((ms) => ms <= LEAST_REPORTED_MS)))
    throw new CommandError('The browser reported no time of any input.')
  report({ lines, rounds, pages, times, theirs })
}

type Site = { url: string; cookie: string; browser: Browser }

/** Every page of the desk; those of an account and an invoice are the first ones'. */
async function listPages({ organizationId, connectionId }: OwnWorld, view: string): Promise<string[]> {
  const [invoice] = await withSystemSql((sql) =>
    sql<{ serial: string }>(
      'select serial_number as serial from invoice where organization_id = $1 order by serial_number desc limit 1',
      [organizationId],
    ),
  )
  const account = `/connections/${connectionId}`
  return [
    '/',
    '/lines',
    '/groups',
    view,
    '/groups?by=trip,cost_center',
    '/groups?by=cost_center&across=month',
    '/trips/8000001',
    '/invoices',
    `/invoices/${connectionId}/${encodeURIComponent(invoice?.serial ?? '')}`,
    '/changes',
    '/close',
    '/checks',
    '/connections',
    account,
    `${account}/coverage`,
    `${account}/scim`,
    '/rejected',
  ]
}

/** An eighth of the lines in twelve columns: the address of the team's view. */
async function saveView({ organizationId }: OwnWorld): Promise<string> {
  const search = `vertical=hotel&columns=${TWELVE_COLUMNS.join()}`
  const [view] = await withSystemSql((sql) =>
    sql<{ id: string }>(
      `insert into saved_view (organization_id, list, name, search, changed_by_name, changed_at)
       values ($1, 'lines', 'Twelve columns', $2, 'Bench', now()) returning id`,
      [organizationId, search],
    ),
  )
  return `/lines?${search}&view=${view?.id}.1`
}

async function readPeerRows({ url, cookie }: Site): Promise<PeerRows> {
  const reply = await fetch(`${url}/api/lines`, { headers: { cookie } })
  if (reply.status !== 200) throw new CommandError(`The lines were answered with ${reply.status}.`)
  const { rows } = (await reply.json()) as { rows: Record<string, unknown>[] }
  const columns = ['expenseDate', 'description', 'tripName', 'relatedVertical', 'costCenter']
  columns.push('invoiceSerialNumber', 'quantity', 'totalAmount', 'currency', 'difference')
  const toText = (row: Record<string, unknown>) => [...columns, 'id'].map((name) => [name, String(row[name] ?? '')])
  return { columns, rows: rows.map((row) => Object.fromEntries(toText(row))) }
}

async function weigh({ url, cookie }: Site, path: string): Promise<Weight> {
  const reply = await fetch(url + path, { headers: { cookie } })
  const html = await reply.text()
  if (reply.status !== 200) throw new CommandError(`${path} was answered with ${reply.status}.`)
  const read = async (address: string) => Buffer.from(await (await fetch(url + address)).arrayBuffer())
  return { scriptBytes: await weighFirstScripts(html, read), htmlBytes: Buffer.byteLength(html) }
}

async function load(site: Site, address: string): Promise<Load> {
  return withPage(site, true, (page) => loadPage(page, address))
}

async function withPage<Result>(
  { url, cookie, browser }: Site,
  withNetwork: boolean,
  act: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const at = cookie.indexOf('=')
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }])
  try {
    return await act(await openPage(context, { withNetwork }))
  } finally {
    await context.close()
  }
}

async function note(times: Times, kind: string, page: Page, act: () => Promise<void>): Promise<void> {
  times[kind] = [...(times[kind] ?? []), await timeInteraction(page, act)]
}

/** A scripted session on the lines and the groups. */
async function actOnOurs(site: Site, times: Times): Promise<void> {
  await withPage(site, false, async (page) => {
    await loadPage(page, `${site.url}/lines`)
    for (let step = 0; step < ROW_STEPS; step++) await note(times, 'row', page, () => page.keyboard.press('j'))
    await note(times, 'panel', page, () => page.keyboard.press('Enter'))
    await page.getByRole('complementary', { name: 'Line' }).waitFor()
    for (let step = 0; step < ROW_STEPS / 2; step++) await note(times, 'panel', page, () => page.keyboard.press('j'))
    await page.keyboard.press('Escape')
    const sorts = page.getByRole('columnheader').getByRole('link')
    for (const name of ['Description', 'Total'])
      await note(times, 'sort', page, () => sorts.getByText(name, { exact: true }).click())
    await page.keyboard.press('/')
    for (const letter of SEARCH) await note(times, 'search', page, () => page.keyboard.press(letter))
    await note(times, 'search', page, () => page.keyboard.press('Enter'))
  })
  await withPage(site, false, async (page) => {
    await loadPage(page, `${site.url}/groups?by=trip,cost_center`)
    const rows = page.locator('tbody tr[data-row]')
    for (let at = 3; at > 0; at--)
      await note(times, 'expand', page, () =>
        rows
          .nth(at - 1)
          .locator('bdi')
          .first()
          .click(),
      )
  })
}

/** The same with a saved view of twelve columns, whose lines are all selected. */
async function actOnView(site: Site, view: string, times: Times): Promise<void> {
  await withPage(site, false, async (page) => {
    await loadPage(page, site.url + view)
    const step = async (kind: string) => {
      for (let at = 0; at < ROW_STEPS; at++) await note(times, kind, page, () => page.keyboard.press('j'))
    }
    await step('row, twelve columns')
    await note(times, 'select', page, () => page.getByRole('checkbox', { name: 'Select the rows in sight' }).click())
    const all = page.getByRole('button', { name: /^Select all [\d,]+ of this list$/ })
    await all.waitFor()
    await note(times, 'select', page, () => all.click())
    await page.getByText(/^All [\d,]+ selected$/).waitFor()
    await page.getByRole('row').nth(3).focus()
    await note(times, 'select', page, () => page.keyboard.press('Space'))
    await step('row, all but one selected')
    const sorts = page.getByRole('columnheader').getByRole('link')
    await note(times, 'sort, twelve columns', page, () => sorts.getByText('Total', { exact: true }).click())
    await note(times, 'palette', page, () => page.keyboard.press('Control+k'))
    await page.getByRole('combobox', { name: 'Go to' }).waitFor()
    for (const letter of SEARCH) await note(times, 'palette', page, () => page.keyboard.press(letter))
  })
}

async function actOnPeer(site: Site, { peer, times }: PeerFigures): Promise<void> {
  await withPage(site, false, async (page) => {
    await loadPage(page, peer.url)
    await page.getByText('INV-').first().click()
    for (let step = 0; step < ROW_STEPS; step++) await note(times, 'row', page, () => page.keyboard.press('ArrowDown'))
    for (const name of [/description/i, /total ?amount/i])
      await note(times, 'sort', page, () => page.getByText(name).first().click())
  })
}

const toKilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const toMilliseconds = (ms: number) => `${Math.round(ms)} ms`

function percentile75(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0
}

type Measured = { lines: number; rounds: number; pages: PageFigures[]; times: Times; theirs: PeerFigures[] }

function report({ lines, rounds, pages, times, theirs }: Measured): void {
  const figures: Report['figures'] = []
  const add = (goal: string, what: string, measured: string, target: string, isMet: boolean | null) =>
    figures.push({ goal, what, measured, target, isMet })
  for (const [kind, all] of Object.entries(times)) {
    const p75 = percentile75(all)
    add('P7', `${kind}: input to next paint, p75 of ${all.length}`, toMilliseconds(p75), '<= 100 ms', p75 <= 100)
  }
  const paintOf = (loads: Load[]) => medianOf(loads.map(({ largestPaintMs }) => largestPaintMs))
  for (const { path, loads, scriptBytes, htmlBytes } of pages) {
    const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    const paint = paintOf(loads)
    const shift = Math.max(...loads.map((each) => each.shift))
    add('P8', `${name}: largest paint`, toMilliseconds(paint), '<= 1200 ms', paint <= 1200)
    add('P8', `${name}: layout shift, the worst`, shift.toFixed(3), '0', shift < 0.0005)
    const most = /^\/(lines|groups|invoices|trips)([?/]|$)/.test(name) ? 170 : 150
    add('P9', `${name}: JavaScript`, toKilobytes(scriptBytes), `<= ${most} kB`, scriptBytes <= most * 1000)
    const isList = /^\/(lines|invoices|groups)$/.test(path)
    add('–', `${name}: HTML`, toKilobytes(htmlBytes), isList ? '<= 80 kB' : '–', isList ? htmlBytes <= 80_000 : null)
  }
  for (const { peer, loads, times: theirTimes } of theirs) {
    add('P9', `${peer.name}: JavaScript`, toKilobytes(peer.scriptBytes), '–', null)
    add('P8', `${peer.name}: largest paint`, toMilliseconds(paintOf(loads)), '–', null)
    for (const [kind, all] of Object.entries(theirTimes))
      add('P7', `${peer.name}: ${kind}, p75 of ${all.length}`, toMilliseconds(percentile75(all)), '–', null)
  }
  writeReport({
    subject: 'ui',
    data: { lines, rounds, pages, times, theirs },
    figures,
    notes: [
      `${lines.toLocaleString('en')} lines made by the database; ${rounds} rounds of all pages, peers and the session in turn, after ${WARM_UPS} answers of each page that do not count; medians of paints.`,
      'Chromium with the processor slowed down four times. Paints: Fast 4G, nothing cached. Inputs: no network delay; the browser reports none below 16 ms, those count as 16.',
      'JavaScript: what the HTML names, each file compressed by gzip. The peers show the same 50 rows, have nothing else on their pages, and sort them in the browser.',
    ],
  })
}
