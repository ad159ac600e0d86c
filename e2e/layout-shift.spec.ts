import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const PAGES = ['/', '/lines', '/groups', '/groups?by=trip,cost_center', '/checks']
/** Where a page is cut: among its rows, the bars of its chart or its sections. */
const CUT = /<tr data-row(?:(?!<tr data-row)[\s\S])*<tr data-row|class="month-bars"[\s\S]{2000}|<h2/

/** Passes everything on, but the rest of the page at a path only once `mayEnd` says so. */
async function serveInPieces(target: string, mayEnd: (path: string) => Promise<void>) {
  const server = createServer((asked, reply) => {
    const headers = { ...asked.headers, 'accept-encoding': 'identity' }
    const passed = request(new URL(asked.url ?? '', target), { method: asked.method, headers }, async (answer) => {
      const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers
      reply.writeHead(answer.statusCode ?? 500, kept)
      const body = await buffer(answer)
      const at = isPage(answer) ? findCut(body) : body.length
      reply.write(body.subarray(0, at))
      try {
        if (at < body.length) await mayEnd(asked.url ?? '')
        reply.end(body.subarray(at))
      } catch (error) {
        // a page that never ended would hide what went wrong until the story's time is over
        reply.destroy(error as Error)
      }
    })
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, new URL(target).hostname, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(target), { port: String(port) }).origin,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const isPage = ({ headers }: IncomingMessage) => headers['content-type']?.startsWith('text/html') === true

function findCut(body: Buffer): number {
  const found = CUT.exec(body.toString('latin1'))
  return found === null ? body.length : found.index + found[0].length
}

/** All layout shifts of the page so far, with what moved. */
function readShifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
        const found: string[] = []
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries() as Shift[])
            found.push(`${value.toFixed(5)} ${sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')}`)
        }).observe({ type: 'layout-shift', buffered: true })
        // buffered entries are told before a later task
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(found))))
      }),
  )
}

test('a page of which a half has come is not painted, and nothing moves when the rest comes', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  let cutAt = 0
  const { url, close } = await serveInPieces(app.appUrl, async (path) => {
    // the page before is still there until the browser takes the first piece of this one;
    // frames do not come while painting waits
    await page.waitForFunction(
      (href) => location.href === href && document.styleSheets.length > 0 && document.querySelector('main h1') !== null,
      url + path,
      { polling: 20 },
    )
    cutAt = await page.evaluate(async () => {
      for (let task = 0; task < 50; task++) await new Promise((resolve) => setTimeout(resolve))
      return performance.now()
    })
  })
  try {
    for (const path of PAGES) {
      cutAt = 0
      await page.goto(url + path, { waitUntil: 'networkidle' })
      await expect(page.locator('.skeleton-page')).toHaveCount(0)
      expect(cutAt, path).toBeGreaterThan(0)
      const paints = await page.evaluate(() => performance.getEntriesByType('paint').map(({ startTime }) => startTime))
      expect(Math.min(...paints), `first paint of ${path}`).toBeGreaterThan(cutAt)
      expect(await readShifts(page), path).toEqual([])
    }
  } finally {
    close()
  }
})
