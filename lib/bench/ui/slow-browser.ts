/** A browser on a slow machine: how long until a page stands, and until an answer is painted. */
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { CommandError } from '#lib/cli/run/command-error.ts'
import { findBrowser } from '#lib/cli/test/test-browser.ts'

const CPU_SLOWDOWN = 4
/** Inputs that are answered sooner are not reported; they count as this. */
export const LEAST_REPORTED_MS = 16
/** As the browser's own tools simulate it. */
const FAST_4G = { latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750, offline: false }

export type Load = { firstPaintMs: number; largestPaintMs: number; shift: number }

type Watched = {
  paints: number[]
  shift: number
  events: { id: number; ms: number }[]
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser('whole') ?? undefined, args: ['--no-sandbox', '--disable-gpu'] })
}

/** A new page with the processor slowed down and, if wanted, the network too. Nothing is cached. */
export async function openPage(context: BrowserContext, { withNetwork }: { withNetwork: boolean }): Promise<Page> {
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  if (withNetwork) {
    await tools.send('Network.enable')
    await tools.send('Network.setCacheDisabled', { cacheDisabled: true })
    await tools.send('Network.emulateNetworkConditions', FAST_4G)
  }
  // the loader of this file puts calls of `__name` into functions, which a page does not know
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(() => {
    const watched: Watched = { paints: [], shift: 0, events: [] }
    Object.assign(window, { watched })
    const watch = (type: string, note: (entry: PerformanceEntry) => void, options: object = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options })
    watch('largest-contentful-paint', ({ startTime }) => watched.paints.push(startTime))
    watch('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) watched.shift += value
    })
    watch(
      'event',
      (entry) => {
        const { interactionId, duration } = entry as PerformanceEventTiming & { interactionId: number }
        if (interactionId > 0) watched.events.push({ id: interactionId, ms: duration })
      },
      { durationThreshold: 16 },
    )
  })
  return page
}

/**
 * Opens an address and waits until nothing is on its way any more.
 * @throws CommandError when no paint was measured.
 */
export async function loadPage(page: Page, url: string): Promise<Load> {
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => document.querySelector('.skeleton-page') === null)
  // a page that draws itself by a script may do so after the last answer
  await page
    .waitForFunction(() => (window as unknown as { watched: Watched }).watched.paints.length > 0, null, {
      timeout: 15_000,
    })
    .catch(() => undefined)
  const found = await page.evaluate(() => {
    const { paints, shift } = (window as unknown as { watched: Watched }).watched
    return { firstPaintMs: paints[0] ?? 0, largestPaintMs: paints.at(-1) ?? 0, shift }
  })
  if (found.largestPaintMs === 0) throw new CommandError(`The browser reported no paint of ${url}.`)
  return found
}

/**
 * The time from an input to the next paint, as the browser measures it, in milliseconds. It reports
 * none below 16 ms; those count as 16.
 */
export async function timeInteraction(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    ;(window as unknown as { watched: Watched }).watched.events.length = 0
  })
  await act()
  await page.waitForLoadState('networkidle')
  return page.evaluate(async (least) => {
    // entries arrive after the paint that they measure
    for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    return Math.max(least, ...(window as unknown as { watched: Watched }).watched.events.map(({ ms }) => ms))
  }, LEAST_REPORTED_MS)
}
