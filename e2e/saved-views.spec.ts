import type { Page } from '@playwright/test'
import { expect, takeSession, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'

// one account, read once
test.describe.configure({ mode: 'serial' })

test.beforeEach(async ({ app }) => {
  await app.query('delete from saved_view returning 1 as one')
})

const viewsOf = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const box = (page: Page) => page.getByRole('dialog', { name: 'Views of this list' })

async function saveAs(page: Page, name: string, verb = 'Save as my view'): Promise<void> {
  await page.getByRole('button', { name: /^(Save as a view|View)…$/ }).click()
  await box(page).getByLabel('Name of the view').fill(name)
  await box(page).getByRole('button', { name: verb }).click()
  await expect(viewsOf(page).getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
}

/** Sorts a list of a view by the head of its quantities: a step that a script takes. */
async function sortByQuantity(page: Page): Promise<void> {
  await page
    .getByRole('columnheader', { name: /Quantity|Qty/ })
    .getByRole('link')
    .click()
  await expect(page).toHaveURL(/sort=-quantity.*view=|view=.*sort=-quantity/)
  await expect(page.getByText('Edited')).toBeVisible()
}

test('a view is kept by a name, says when it is edited, and is saved or discarded', async ({ page, readAccount }) => {
  await readAccount(page)
  await page.goto('/lines?vertical=hotel&sort=-total_amount&page=2')
  await saveAs(page, 'Hotels')
  await expect(page).toHaveURL(/vertical=hotel&sort=-total_amount&view=/)
  await expect(page.getByText('Edited')).toHaveCount(0)
  await sortByQuantity(page)
  await page.getByRole('link', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/sort=-total_amount/)
  await expect(page.getByText('Edited')).toHaveCount(0)
  await sortByQuantity(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The view is saved as the list is now.' })).toBeVisible()
  await page.goto('/lines?period=all')
  await viewsOf(page).getByRole('link', { name: 'Hotels' }).click()
  await expect(page).toHaveURL(/vertical=hotel&sort=-quantity&view=/)
})

test('a list sorted by its head stays the view’s, as edited, and the view is changed by nobody’s sorting; of two people who save it, the second is told and can keep theirs as another', async ({
  page,
  browser,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/lines?vertical=hotel')
  await saveAs(page, 'To review', 'Save for everybody')
  const opened = page.url()
  const other = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(other, app, app.adminEmail)
  await other.goto(`${opened}&q=night`)
  const stored = await app.query('select search, version from saved_view')
  await sortByQuantity(page)
  expect(await app.query('select search, version from saved_view')).toEqual(stored)
  await page.getByRole('button', { name: 'Save for everybody' }).first().click()
  await expect(page.getByText('Edited')).toHaveCount(0)
  await other.getByRole('button', { name: 'Save for everybody' }).first().click()
  await expect(other.getByRole('main').getByRole('alert')).toContainText('saved this view after you opened it')
  await expect(other).toHaveURL(/q=night/)
  // also where it is only looked at again
  await other.goto(`${opened}&q=night`)
  await expect(other.getByRole('main').getByRole('alert')).toContainText('open theirs')
  await other.getByRole('button', { name: 'View…' }).click()
  await box(other).getByLabel('Name of the view').fill('Renamed unseen')
  await box(other).getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(other).toHaveURL(/error=/)
  await saveAs(other, 'To review at night')
  expect(await app.query('select name, search from saved_view order by name')).toEqual([
    { name: 'To review', search: 'vertical=hotel&sort=-quantity' },
    { name: 'To review at night', search: 'vertical=hotel&q=night' },
  ])
  await other.close()
})

test('a list opens with a view from the sidebar and by its bare address, until it does not', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/groups?by=vertical')
  await saveAs(page, 'By vertical')
  await page.getByRole('button', { name: 'View…' }).click()
  await box(page).getByRole('button', { name: 'Open the list with it', exact: true }).click()
  await expect(viewsOf(page).getByText('opens first')).toBeVisible()
  await page.getByRole('link', { name: 'Lines' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Lines' })).toBeVisible()
  await page.getByRole('link', { name: 'Groups' }).first().click()
  await expect(page).toHaveURL(/\/groups\?by=vertical&view=/)
  await page.goto('/groups')
  await expect(page).toHaveURL(/\/groups\?by=vertical&view=/)
  await page.getByRole('button', { name: 'View…' }).click()
  await box(page).getByRole('button', { name: 'No longer open the list with it' }).click()
  await expect(viewsOf(page).getByText('opens first')).toHaveCount(0)
})

test('the box of views opens and closes by keys, gives the focus back, is clean, and copies a view as a link that shows the same to somebody else', async ({
  page,
  context,
  app,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/invoices?currency=EUR')
  await saveAs(page, 'In euros')
  const opener = page.getByRole('button', { name: 'View…' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(box(page).getByLabel('Name of the view')).toBeFocused()
  await expectAccessible(page, 'a box of views')
  await box(page).getByRole('link', { name: 'Copy link' }).click()
  await expect(box(page).getByRole('link', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(`${app.appUrl}/invoices?currency=EUR&view=`)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('views are kept, saved, opened and deleted', async ({ page, app, signIn }) => {
    await signIn(page)
    await page.goto('/lines?vertical=hotel')
    await saveAs(page, 'Hotels')
    await page.goto(`${page.url()}&q=night`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Edited')).toHaveCount(0)
    await page.getByRole('button', { name: 'View…' }).click()
    await box(page).getByText('Delete…').click()
    await box(page).getByRole('button', { name: 'Delete “Hotels”' }).click()
    await expect(viewsOf(page).getByRole('link', { name: 'Hotels' })).toHaveCount(0)
    await expect(page).toHaveURL(/vertical=hotel&q=night/)
    expect(await app.query('select from saved_view')).toEqual([])
  })
})
