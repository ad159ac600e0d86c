import { expect, type Page } from '@playwright/test'

/** What a person presses or types into. */
const ACTIVE = 'button, input:not([type=hidden]), select, textarea, tr[data-row]'

/**
 * Waits until a page answers to clicks and keys: React has taken over everything on it that a
 * person presses. What comes earlier is lost, and on a busy machine a story is faster than a
 * page's script. A page that stays without a script (a file, an error in plain HTML) is left as
 * it is.
 */
async function waitUntilListening(page: Page): Promise<void> {
  await page.waitForFunction((active) => {
    if (document.querySelector('script[src*="/_next/"]') === null) return true
    const isTaken = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
    return [...document.querySelectorAll(active)].every(isTaken)
  }, ACTIVE)
}

/** Makes a page's own moves wait until it listens; those told what else to wait for keep to it. */
export function listenFirst(page: Page): Page {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  page.goto = async (url, options) => {
    const reply = await goto(url, options)
    if (options?.waitUntil === undefined) await waitUntilListening(page)
    return reply
  }
  page.reload = async (options) => {
    const reply = await reload(options)
    if (options?.waitUntil === undefined) await waitUntilListening(page)
    return reply
  }
  return page
}

/**
 * Opens a page without scripts again until all of it came at once. What comes late stands behind
 * the frame there, in no landmark, and counts beside the names of the pages are left out; a busy
 * machine makes any answer late.
 */
export function openWhole(page: Page): Page {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    let reply = await goto(url, options)
    if (options?.waitUntil !== undefined) return reply
    await expect(async () => {
      if ((await page.locator('[id^="S:"]').count()) === 0) return
      reply = await goto(url, options)
      expect(await page.locator('[id^="S:"]').count(), `late parts of ${url}`).toBe(0)
    }).toPass({ timeout: 60_000 })
    return reply
  }
  return page
}
