import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Every page of the desk, by where its data is. */
async function listPages(query: (text: string) => Promise<Record<string, unknown>[]>): Promise<string[]> {
  const [invoice] = await query(
    `select connection_id as connection, invoice_serial_number as serial from line
     group by 1, 2 order by count(*) desc, 2 limit 1`,
  )
  const connection = `/connections/${invoice?.connection}`
  return [
    '/',
    '/invoices',
    `/invoices/${invoice?.connection}/${encodeURIComponent(`${invoice?.serial}`)}`,
    '/lines',
    '/groups',
    '/changes',
    '/close',
    '/rejected',
    '/checks',
    '/connections',
    connection,
    `${connection}/coverage`,
    `${connection}/drift`,
    `${connection}/answers`,
    `${connection}/scim`,
    '/people',
    '/audit',
    '/settings',
    '/account',
  ]
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.locator('.skeleton-page')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

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

for (const [name, size] of Object.entries({
  '1440 px': { width: 1440, height: 900 },
  '1920 px': { width: 1920, height: 1080 },
  '390 px': { width: 390, height: 844 },
  '200 % zoom': { width: 720, height: 450 },
}))
  test(`no page slides off the screen at ${name}, however far the wheel turns, or cuts an id or words of ours`, async ({
    page,
    readAccount,
    app,
  }) => {
    test.setTimeout(300_000)
    await page.setViewportSize(size)
    await readAccount(page)
    for (const address of await listPages(app.query)) {
      await open(page, address)
      expect.soft(await listCut(page), address).toEqual([])
      await turnTheWheel(page)
      expect(await slide(page), address).toBe(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(size.width)
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
  await open(page, '/')
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
  await open(page, '/')
  const rail = page.getByRole('complementary', { name: 'Sidebar' })
  expect((await rail.boundingBox())?.width).toBeLessThan(60)
  await expect(page.locator('#bottom-bar')).toBeHidden()
  for (const name of PAGES) {
    await rail.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }
})
