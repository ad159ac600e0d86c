import type { Page } from '@playwright/test'
import { listDeskPages, openReady } from './desk-pages.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'

/** Turns the wheel over everything that scrolls, to its end and further, and over the sidebar. */
async function turnTheWheel(page: Page): Promise<void> {
  const places = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('*')].filter(
      (each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY),
    )
    for (const box of boxes) box.scrollTop = box.scrollHeight
    return [...boxes, document.querySelector('#sidebar'), document.querySelector('#bottom-bar')].flatMap((each) => {
      const box = each?.getBoundingClientRect()
      return !box || box.width < 2 || box.height < 2
        ? []
        : [{ x: box.left + box.width / 2, y: (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2 }]
    })
  })
  for (const { x, y } of places) {
    await page.mouse.move(x, y)
    await page.mouse.wheel(0, 5_000)
  }
}

/** How far the desk itself has been, or can be, pushed off the screen. */
const slide = (page: Page) =>
  page.evaluate(() => {
    window.scrollTo(0, 100_000)
    const held = [document.documentElement, document.body, document.body.querySelector(':scope > div')]
    return held.map((each) => each?.scrollTop ?? 0).reduce((sum, top) => sum + top, window.scrollY)
  })

/**
 * What its box cuts: our own words, whole sentences too, and ids whose end is gone. Texts of the
 * platform may be cut: they are whole on hover, and no words of ours.
 */
const listCut = (page: Page) =>
  page.evaluate(() => {
    const ID = /\b[A-Z]{2,}-[\w-]*\d{3,}\b|[\da-f]{8}-[\da-f]{4}-/
    const isShown = (each: Element) => {
      const { width, height } = each.getBoundingClientRect()
      return width > 2 && height > 2 && getComputedStyle(each).visibility !== 'hidden'
    }
    return [...document.querySelectorAll<HTMLElement>('main *')].filter(isShown).flatMap((each) => {
      const style = getComputedStyle(each)
      const isCut =
        (each.scrollWidth > each.clientWidth + 1 && /hidden|clip/.test(style.overflowX)) ||
        (each.scrollHeight > each.clientHeight + 2 && style.webkitLineClamp !== 'none')
      const text = each.innerText?.trim() ?? ''
      // words for the ear alone stand beside a figure, or are indented out of a cell
      const isForEar =
        style.textIndent !== '0px' || (each.querySelector('.sr-only') !== null && /^[\d.,\s·+−-]+$/.test(text))
      if (!isCut || isForEar || text === '' || each.closest('.scroll-box, pre, details:not([open])') === each) return []
      // a box of boxes: the one that has the text is asked itself
      if ([...each.children].some((child) => /block|flex|grid|table/.test(getComputedStyle(child).display))) return []
      const isOfPlatform = each.closest('bdi, [dir=auto]') !== null || each.querySelector('bdi, [dir=auto]') !== null
      if (isOfPlatform && (!ID.test(text) || style.direction === 'rtl')) return []
      return [`${each.tagName.toLowerCase()}.${each.className}: ${text.slice(0, 80)}`]
    })
  })

/** What a list shows under other conditions than at first. */
const OTHER_LISTS = [
  '/lines?findings=1',
  '/groups?by=trip,cost_center,vertical',
  '/groups?by=cost_center,vertical&across=month',
]

/** Pages of one invoice, trip or account: axe looks at them in their own stories. */
const OF_ONE_RECORD = /^\/(trips|invoices|connections)\/./

const SIZES = {
  '1440 px': { width: 1440, height: 900 },
  '1920 px': { width: 1920, height: 1080 },
  '200 % zoom': { width: 720, height: 450 },
  '390 px': { width: 390, height: 844 },
} as const
type Size = keyof typeof SIZES

/** A page is opened at the first size, and stays open while its window becomes others. */
const SCREENS: [Size, ...Size[]][] = [['1440 px', '1920 px', '200 % zoom'], ['390 px']]

for (const sizes of SCREENS)
  test(`every page at ${sizes.join(', ')} is accessible in light and dark, cuts no id or words of ours, and does not slide off the screen, however far the wheel turns`, async ({
    page,
    readAccount,
    app,
  }) => {
    test.setTimeout(300_000)
    await readAccount(page)
    for (const address of [...(await listDeskPages(app)), ...OTHER_LISTS]) {
      await page.setViewportSize(SIZES[sizes[0]])
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await openReady(page, address)
      if (!OF_ONE_RECORD.test(address)) {
        await expectAccessible(page, address)
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
        await expectContrast(page, `${address} in dark`)
      }
      for (const size of sizes) {
        const where = `${address} at ${size}`
        await page.setViewportSize(SIZES[size])
        await expect.soft.poll(() => listCut(page), { message: where, timeout: 5_000 }).toEqual([])
        await turnTheWheel(page)
        expect(await slide(page), where).toBe(0)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(
          SIZES[size].width,
        )
      }
    }
  })

const PAGES = [
  'Overview',
  'Invoices',
  'Lines',
  'Groups',
  'Changes',
  'Close',
  'Not imported',
  'Checks',
  'Connections',
  'People',
  'Audit',
  'Settings',
]

test('a phone leads to every page, those without room in its bar under More, which closes behind them', async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  await openReady(page, '/')
  const bar = page.getByRole('navigation', { name: 'Main' })
  const sheet = page.getByRole('dialog', { name: 'More' })
  for (const name of PAGES) {
    if (await bar.getByRole('link', { name, exact: true }).isHidden()) {
      await bar.getByRole('button', { name: 'More' }).click()
      await expect(sheet).toBeVisible()
    }
    await bar.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(sheet).toBeHidden()
  }
  await bar.getByRole('button', { name: 'More' }).click()
  await expect(sheet.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('a desktop at 200 % zoom leads to every page from a rail of icons that say their names', async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 720, height: 450 })
  await signIn(page)
  await openReady(page, '/')
  const rail = page.getByRole('complementary', { name: 'Sidebar' })
  expect((await rail.boundingBox())?.width).toBeLessThan(60)
  await expect(page.locator('#bottom-bar')).toBeHidden()
  for (const name of PAGES) {
    await rail.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }
})
