import type { Page, Route } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'
import { pressUntilFocused, readTotalsStrip } from './screen.ts'
import type { App } from './start-app.ts'

// only in a ledger of more than 10,000 lines are totals slower than lines
test.use({ appOptions: { size: { kind: 'huge', lines: 10_500 } } })
test.describe.configure({ mode: 'serial' })

const SEARCH = '/lines?q=lisbon'
const TOTALS = '**/api/summaries?*'

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const row = (page: Page, place: number) => page.locator(`tbody tr[aria-rowindex="${place + 1}"]`)
const position = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const grid = (page: Page) => page.getByRole('grid', { name: 'Lines' })
const box = (page: Page) => page.locator('table[role=grid]').locator('xpath=ancestor::section')
const strip = (page: Page) => page.getByRole('region', { name: 'Totals of the lines shown' })
const title = (page: Page) => page.getByRole('main').locator('header')

/** Keeps answers back until they are let go. */
async function holdTotals(page: Page): Promise<() => Promise<void>> {
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(TOTALS, async (route) => {
    await held
    // the page may have given it up
    await route.continue().catch(() => undefined)
  })
  return async () => {
    letGo()
    await page.unroute(TOTALS)
  }
}

async function countFound(app: App, text: string): Promise<number> {
  const [found] = await app.query(
    `select count(*)::int as count from line where missing_since is null and position('${text}' in search_text) > 0`,
  )
  return Number(found?.count)
}

const sumOf = async (page: Page) =>
  Object.values(await readTotalsStrip(page)).reduce(
    (sum, { text }) => sum + Number(/([\d,]+) lines?/.exec(text)?.[1]?.replaceAll(',', '')),
    0,
  )

test('the lines that a search finds are there before their totals, which then come without moving anything', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const count = await countFound(app, 'lisbon')
  expect(count).toBeGreaterThan(1000)
  const all = (await countFound(app, '')).toLocaleString('en')
  const letGo = await holdTotals(page)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/summaries')) asked++
  })
  await page.goto(SEARCH)
  await expect(rows(page)).toHaveCount(50)
  await expect(position(page)).toContainText('1–50 of more than 50 lines')
  await expect(title(page)).toContainText(`more than 50 of ${all} lines`)
  await expect(strip(page)).toContainText(`Adding up…more than 50 of ${all} lines`)
  await expect(strip(page).getByRole('link')).toHaveCount(0)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '-1')
  await expectAccessible(page, 'lines without totals')

  // the rows that are there are used as ever
  await pressUntilFocused(page, 'j', row(page, 1))
  for (let step = 0; step < 60; step++) await page.keyboard.press('j')
  await expect(row(page, 50)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: /Line/ }).or(page.getByRole('region', { name: /^Line/ }))
  await expect(panel.first()).toBeVisible()
  const before = { scroll: await box(page).evaluate((element) => element.scrollTop), at: await box(page).boundingBox() }
  expect(before.scroll).toBeGreaterThan(0)
  const opened = new URL(page.url()).searchParams.get('line')
  expect(opened).not.toBeNull()

  await letGo()
  const found = count.toLocaleString('en')
  await expect(title(page)).toContainText(`${found} of ${all} lines`)
  await expect(strip(page)).toContainText(`Total of${found} of ${all} lines`)
  await expect(position(page)).toContainText(`of ${found} lines`)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(count + 1))
  expect(await sumOf(page)).toBe(count)
  await expect.poll(() => box(page).evaluate((element) => element.scrollHeight)).toBeGreaterThan(count * 30)
  expect(await box(page).evaluate((element) => element.scrollTop)).toBe(before.scroll)
  expect(await box(page).boundingBox()).toEqual(before.at)
  expect(new URL(page.url()).searchParams.get('line')).toBe(opened)
  await expect(page.getByText('1 selected')).toBeVisible()
  await expect(panel.first()).toBeVisible()
  await expectAccessible(page, 'lines with totals that came later')

  // and the rows go on from where one is
  await page.keyboard.press('Escape')
  await expect(row(page, 50)).toBeFocused()
  for (let step = 0; step < 5; step++) await page.keyboard.press('j')
  await expect(row(page, 55)).toBeFocused()
  await expect(row(page, 55)).toContainText(/lisbon/i)

  // the address follows the rows
  await page.keyboard.press('Home')
  await expect(row(page, 1)).toBeFocused()
  await expect(page).not.toHaveURL(/after=/)
  expect(asked, 'once, whatever the address follows').toBe(1)

  // in another order the list is as long; each total leads to its lines
  await page.getByRole('columnheader').getByRole('link', { name: 'Expense date' }).click()
  await expect(page).toHaveURL(/sort=expense_date/)
  await expect(position(page)).toContainText(`of ${found} lines`)
  const euro = strip(page).getByRole('link', { name: /EUR/ })
  const inEuro = /([\d,]+) lines/.exec((await euro.textContent()) ?? '')?.[1]
  await euro.click()
  await expect(page).toHaveURL(/currency=EUR/)
  await expect(position(page)).toContainText(`of ${inEuro} lines`)
})

test('totals that do not come say so, and come when they are asked for again', async ({ page, app, signIn }) => {
  await signIn(page)
  await page.route(TOTALS, (route: Route) => route.abort())
  await page.goto(SEARCH)
  await expect(strip(page).getByRole('alert')).toHaveText('The totals could not be added up.')
  await expect(rows(page)).toHaveCount(50)
  await expect(position(page)).toContainText('1–50 of more than 50 lines')
  await expectAccessible(page, 'lines whose totals failed')
  const at = await box(page).boundingBox()
  await page.unroute(TOTALS)
  await strip(page).getByRole('button', { name: 'Try again' }).click()
  const count = await countFound(app, 'lisbon')
  await expect(position(page)).toContainText(`of ${count.toLocaleString('en')} lines`)
  expect(await sumOf(page)).toBe(count)
  expect(await box(page).boundingBox()).toEqual(at)
})

test('totals that arrive for an earlier search are not shown for the next', async ({ page, app, signIn }) => {
  await signIn(page)
  const letGo = await holdTotals(page)
  const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/summaries'))
  await page.goto(SEARCH)
  await expect(strip(page)).toContainText('Adding up…')
  const search = page.getByRole('search').getByRole('textbox')
  await search.fill('tokyo')
  await expect(page).toHaveURL(/q=tokyo/)
  await givenUp
  await expect(strip(page)).toContainText('Adding up…')
  await expect(search).toBeFocused()
  await letGo()
  const count = await countFound(app, 'tokyo')
  expect(count).not.toBe(await countFound(app, 'lisbon'))
  await expect(position(page)).toContainText(`of ${count.toLocaleString('en')} lines`)
  expect(await sumOf(page)).toBe(count)
})

test('without the script and on a phone the list has pages, and no figure that is not so', async ({
  page,
  app,
  signIn,
  browser,
}) => {
  await signIn(page)
  const count = (await countFound(app, 'lisbon')).toLocaleString('en')
  const context = await browser.newContext({
    baseURL: app.appUrl,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const plain = await context.newPage()
  await plain.goto(SEARCH)
  await expect(position(plain)).toContainText('1–50 of more than 50 lines')
  await expect(plain.getByText('Adding up…')).toBeHidden()
  await position(plain).getByRole('link', { name: 'Next page' }).click()
  await expect(position(plain)).toContainText(`51–100 of ${count} lines`)
  await context.close()

  await page.setViewportSize({ width: 390, height: 844 })
  const letGo = await holdTotals(page)
  await page.goto(SEARCH)
  await expect(position(page)).toContainText('1–50 of more than 50 lines')
  await expectAccessible(page, 'lines without totals on a phone')
  const at = await rows(page).first().boundingBox()
  await letGo()
  await expect(position(page)).toContainText(`1–50 of ${count} lines`)
  expect(await rows(page).first().boundingBox()).toEqual(at)
  await expect(rows(page)).toHaveCount(50)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(position(page)).toContainText(`51–100 of ${count} lines`)
  await page.getByRole('link', { name: 'Previous page' }).click()
  await expect(position(page)).toContainText(`1–50 of ${count} lines`)
})

test('a list that lost its lines before they were added up is asked for anew', async ({ page, app, signIn }) => {
  await signIn(page)
  const letGo = await holdTotals(page)
  await page.goto(SEARCH)
  await expect(strip(page)).toContainText('Adding up…')
  await app.query(
    `update line set missing_since = now() where position('lisbon' in search_text) > 0
     and id not in (select id from line where position('lisbon' in search_text) > 0 order by id limit 7)`,
  )
  await letGo()
  await expect(position(page)).toContainText('1–7 of 7 lines')
  await expect(rows(page)).toHaveCount(7)
  expect(await sumOf(page)).toBe(7)
})
