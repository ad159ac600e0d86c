import type { APIRequestContext } from '@playwright/test'
import { weighFirstScripts } from '#lib/bench/ui/first-load.ts'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'

/**
 * P9: the JavaScript that a page loads first, in bytes (gzip). No page may have more. A page with
 * the lines of an invoice has a list, too.
 */
const GOAL = { list: 170_000, other: 150_000 }
const LIST = /^\/(lines|review|groups|trips\/TRIP|invoices(\/CONNECTION\/SERIAL)?)$/

/**
 * What the pages may weigh, in bytes: their first JavaScript (gzip), and the HTML of a list with
 * fifty rows, for which 80 kB is the goal, of the overview or of the calendar. The forms of its
 * views are three of a list's. What a page has reached below its goal it keeps: a page that grows
 * says so here.
 */
const BUDGETS: [path: string, scripts: number, html: number | null][] = [
  ['/', 139_200, 110_500],
  ['/account', 138_300, null],
  ['/audit', 137_000, null],
  ['/changes', 138_100, null],
  ['/changes/bridge', 138_100, null],
  ['/close', 145_000, null],
  ['/digest', 137_400, null],
  ['/checks', 138_100, null],
  ['/people', 137_400, null],
  ['/rejected', 138_200, null],
  ['/settings', 138_500, null],
  ['/connections', 146_700, null],
  ['/connections/CONNECTION', 145_200, null],
  ['/connections/CONNECTION/coverage', 140_900, 93_500],
  ['/connections/CONNECTION/loss', 137_000, null],
  ['/connections/CONNECTION/scim', 139_600, null],
  ['/groups', 151_600, 97_200],
  ['/invoices', 167_300, 123_700],
  ['/invoices/CONNECTION/SERIAL', 168_800, null],
  ['/lines', 170_000, 112_800],
  ['/review', 168_900, null],
  ['/trips/TRIP', 166_800, null],
]

/** The class of components/states/loading-page.tsx that no page has. */
const SKELETON = 'skeleton-page'

test('no page weighs more than its budget', async ({ page, app, readAccount }) => {
  test.setTimeout(240_000)
  await readAccount(page)
  const [invoice] = await app.query(
    `select connection_id, serial_number, (select trip_id from line where trip_id is not null limit 1) from invoice limit 1`,
  )
  const toAddress = (path: string) =>
    path
      .replace('CONNECTION', String(invoice?.connection_id))
      .replace('SERIAL', String(invoice?.serial_number))
      .replace('TRIP', encodeURIComponent(String(invoice?.trip_id)))
  for (const [path, scripts, html] of BUDGETS) {
    const weight = await weigh(page.request, toAddress(path))
    expect
      .soft(weight.scripts, `JavaScript of ${path}`)
      .toBeLessThanOrEqual(Math.min(scripts, LIST.test(path) ? GOAL.list : GOAL.other))
    if (html === null) continue
    if (LIST.test(path)) expect(weight.rows, `rows of ${path}`).toBe(50)
    expect.soft(weight.html, `HTML of ${path}`).toBeLessThanOrEqual(html)
  }
})

/**
 * The page alone: an answer that takes longer than half a second has its skeleton, too, and on a
 * busy machine the sidebar's counts come after it, 1.4 kB more.
 */
async function readPage(request: APIRequestContext, path: string): Promise<string> {
  let html = ''
  await expect(async () => {
    const reply = await request.get(path, KEPT_ALIVE)
    expect(reply.status(), path).toBe(200)
    html = await reply.text()
    expect(html.includes(SKELETON), `${path} comes after its skeleton`).toBe(false)
    expect(html.includes('<div hidden id="S:'), `${path} comes before a part of it`).toBe(false)
  }).toPass({ intervals: [250], timeout: 60_000 })
  return html
}

async function weigh(request: APIRequestContext, path: string) {
  const html = await readPage(request, path)
  const scripts = await weighFirstScripts(html, async (address) => (await request.get(address, KEPT_ALIVE)).body())
  return { scripts, html: Buffer.byteLength(html), rows: html.match(/<tr data-row/g)?.length ?? 0 }
}
