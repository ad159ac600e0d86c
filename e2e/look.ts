import { expect, type Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

/**
 * The page has no violation that axe can find, the size of targets (WCAG 2.2, 2.5.8) included,
 * which axe looks at only when told; and it does not scroll sideways. `where` is said on failure.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await expectNoViolation(page, { rules: { 'target-size': { enabled: true } } }, where)
  await expectNoOverflow(page, where)
}

/**
 * What another theme may change: the contrast of texts (WCAG 1.4.3). All other rules see the same
 * page as in the first theme, at the same width.
 */
export async function expectContrast(page: Page, where: string): Promise<void> {
  await expectNoViolation(page, { runOnly: ['color-contrast'] }, where)
  await expectNoOverflow(page, where)
}

/**
 * Waits until the page that was asked for has come, and nothing fades any more: axe would judge
 * colors that nobody has to read. What never ends, such as a bar that runs, is not waited for. A
 * page's title may come a moment after its content.
 */
async function waitUntilStill(page: Page): Promise<void> {
  await expect(page.locator('html')).not.toHaveAttribute('data-pending')
  await expect(page).toHaveTitle(/./)
  await page.evaluate(async () => {
    const listFinite = () =>
      document
        .getAnimations()
        .filter((each) => each.playState === 'running' && each.effect?.getComputedTiming().endTime !== Infinity)
    // one that is taken back has ended, too; the end of one may begin another
    for (let finite = listFinite(); finite.length > 0; finite = listFinite())
      await Promise.allSettled(finite.map(({ finished }) => finished))
  })
}

async function expectNoViolation(page: Page, rules: RunOptions, where: string): Promise<void> {
  await waitUntilStill(page)
  // it stays in a document, however our scripts draw that anew: half a megabyte goes there once
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // no page of ours has frames; what passed is not listed element by element
  const options: RunOptions = { ...rules, resultTypes: ['violations'], iframes: false }
  const found = await page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
    return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target).join(' and ')}`)
  }, options)
  expect(found.map((violation) => `${where}: ${violation}`)).toEqual([])
}

async function expectNoOverflow(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0)
}
