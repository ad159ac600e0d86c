import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * The page has no violation that axe can find, the size of targets (WCAG 2.2, 2.5.8) included,
 * which axe looks at only when told; and it does not scroll sideways. `where` is said on failure.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ rules: { 'target-size': { enabled: true } } })
    .analyze()
  expect(
    violations.map(({ id, nodes }) => `${where}: ${id} at ${nodes.map(({ target }) => target).join(' and ')}`),
  ).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${where} scrolls sideways`).toBeLessThanOrEqual(0)
}
