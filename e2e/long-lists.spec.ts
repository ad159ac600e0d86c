import type { Page } from '@playwright/test'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import { pressUntilFocused } from './screen.ts'

test.describe.configure({ mode: 'serial' })

const rows = (page: Page) => page.locator('tbody tr[data-row]')
const row = (page: Page, place: number) => page.locator(`tbody tr[aria-rowindex="${place + 1}"]`)
const position = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const box = (page: Page) => page.locator('table[role=grid]').locator('xpath=ancestor::section')

/** The list's own order, read through the pages that a reader without scripts has. */
async function readTexts(page: Page, path: string): Promise<string[]> {
  const texts: string[] = []
  for (let next: string | null = path; next !== null; ) {
    const html: string = await (await page.request.get(next, KEPT_ALIVE)).text()
    const { found, following } = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'text/html')
      const cells = [...parsed.querySelectorAll('tbody tr[data-row]')].map((each) => each.textContent ?? '')
      const link = parsed.querySelector('nav[aria-label=Pages] a[aria-label="Next page"]')
      return { found: cells, following: link?.getAttribute('href') ?? null }
    }, html)
    texts.push(...found)
    next = following
  }
  return texts
}

/** Opens a list and waits until its rows go on: then it is as tall as all of them. */
async function openLong(page: Page, path: string, count: number): Promise<void> {
  await page.goto(path)
  await expect.poll(() => box(page).evaluate((element) => element.scrollHeight)).toBeGreaterThan(count * 30)
}

test('the lines go on past a page by keyboard, scroll bar and address, in one order', async ({
  page,
  app,
  readAccount,
}) => {
  test.setTimeout(240_000)
  await readAccount(page)
  const texts = await readTexts(page, '/lines')
  const [stored] = await app.query('select count(*)::int as count from line')
  expect(texts).toHaveLength(Number(stored?.count))
  expect(texts.length).toBeGreaterThan(150)
  const last = texts.length

  await openLong(page, '/lines', last)
  await pressUntilFocused(page, 'j', row(page, 1))
  for (let step = 0; step < 60; step++) await page.keyboard.press('j')
  await expect(row(page, 61)).toBeFocused()
  await expect(row(page, 61)).toHaveText(texts[60] ?? '')
  expect(await rows(page).count()).toBeLessThan(100)

  await page.keyboard.press('End')
  await expect(row(page, last)).toBeFocused()
  await expect(row(page, last)).toHaveText(texts.at(-1) ?? '')
  await expect(position(page)).toContainText(`–${last.toLocaleString('en')} of ${last.toLocaleString('en')} lines`)
  await page.keyboard.press('PageUp')
  await expect(row(page, last)).not.toBeFocused()
  await page.keyboard.press('Home')
  await expect(row(page, 1)).toBeFocused()
  await expect(page).toHaveURL(/\/lines$/)

  // a drag to the middle; the address then has the place, for another window too
  await box(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2
  })
  await expect(page).toHaveURL(/after=/)
  const from = Number(/^[\d,]+/.exec((await position(page).textContent()) ?? '')?.[0].replaceAll(',', ''))
  expect(from).toBeGreaterThan(last / 3)
  await expect(row(page, from)).toHaveText(texts[from - 1] ?? '')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(position(other)).toContainText(`${from.toLocaleString('en')}–`)
  await expect(row(other, from)).toHaveText(texts[from - 1] ?? '')
  await other.close()

  // Back comes to the same rows, though the page once came with others
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Groups' }).click()
  await expect(page).toHaveURL(/groups/)
  await page.goBack()
  await expect(position(page)).toContainText(`${from.toLocaleString('en')}–`)
  await expect(row(page, from)).toHaveText(texts[from - 1] ?? '')
})

test('another order begins at its first row, and a filter on one screen has no scroll bar to follow', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await openLong(page, '/lines', 100)
  await box(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2
  })
  await expect(page).toHaveURL(/after=/)
  const names = page.getByRole('columnheader')
  await names.getByRole('link', { name: 'Total' }).click()
  await expect(page).toHaveURL(/\?sort=-total_amount$/)
  await expect(names.filter({ hasText: 'Total' })).toHaveAttribute('aria-sort', 'descending')
  await expect(position(page)).toContainText(/^1–/)
  const currencies = await rows(page).locator('td.col-currency').allTextContents()
  expect(currencies).toEqual(currencies.toSorted())
})

test('on a phone a list has pages, and each row says what it is', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  await page.goto('/lines')
  await expect(rows(page)).toHaveCount(50)
  await expect(page.locator('tbody td:not([role=gridcell])')).toHaveCount(0)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/after=/)
  await expect(position(page)).toContainText(/^51–100/)
  await page.getByRole('link', { name: 'Previous page' }).click()
  await expect(position(page)).toContainText(/^1–50/)
})

test('rows that cannot be read are asked for again when somebody wants it', async ({ page, signIn }) => {
  await signIn(page)
  await openLong(page, '/lines', 100)
  await page.route('**/api/lines/rows?*', (route) => route.abort())
  await box(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2
  })
  await expect(page.getByRole('alert').filter({ hasText: 'Some rows could not be loaded.' })).toBeVisible()
  await page.unroute('**/api/lines/rows?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('tbody tr[aria-busy]')).toHaveCount(0)
  await expect(page.getByRole('alert').filter({ hasText: 'Some rows' })).toHaveCount(0)
})
