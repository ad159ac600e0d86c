import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'

// one account, read once
test.describe.configure({ mode: 'serial' })

const field = (page: Page) => page.getByRole('combobox', { name: 'Go to' })
/** Before its script runs, a page has no keys. */
async function openMenu(row: Locator): Promise<void> {
  await expect(async () => {
    await row.focus()
    await row.press('Shift+F10')
    await expect(row.page().getByRole('menuitem').first()).toBeFocused({ timeout: 2000 })
  }).toPass()
}

const option = (page: Page, name: RegExp) => page.getByRole('option', { name })

async function openPalette(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused({ timeout: 2000 })
  }).toPass()
}

test('Ctrl+K leads by keys alone to pages, views, invoices, trips, and to what the page does', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const [known] = await app.query(
    `select i.serial_number as serial, l.trip_id as trip, l.trip_name as name from invoice i
     join line l on l.invoice_serial_number = i.serial_number where l.trip_name is not null order by 1 limit 1`,
  )
  await page.goto('/lines?vertical=hotel')
  await page.getByRole('button', { name: 'Save as a view…' }).click()
  await page.getByLabel('Name of the view').fill('Nights away')
  await page.getByRole('button', { name: 'Save as my view' }).click()
  await page.goto('/checks')
  await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor()

  await openPalette(page)
  await expectAccessible(page, 'the palette')
  await page.keyboard.type('overv')
  await expect(option(page, /^Overview/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/\?period=/)

  await openPalette(page)
  await page.keyboard.type('away nights')
  await expect(option(page, /^Nights away/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/lines\?vertical=hotel&view=/)

  await openPalette(page)
  await page.keyboard.type(String(known?.serial).replaceAll('-', ''))
  await expect(option(page, new RegExp(`^${known?.serial}`))).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/invoices/[^/]+/${known?.serial}`))

  await openPalette(page)
  await page.keyboard.type(String(known?.trip))
  await expect(option(page, /trip$/).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/trips/${known?.trip}$`))

  await openPalette(page)
  await page.keyboard.type('choose col')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible()
  await page.keyboard.press('Escape')

  await openPalette(page)
  await page.keyboard.type('nothing has this')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/lines\?q=nothing/)
})

test('g and a letter lead to each page of the frame, and the sheet of keys lists them', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/invoices?period=2026-03')
  await page.getByRole('grid', { name: 'Invoices' }).or(page.getByText('No invoices')).first().waitFor()
  // before its script runs, a page has no keys
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await expect(page).toHaveURL(/\/lines\?period=2026-03/, { timeout: 1000 })
  }).toPass()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet.getByText('Not imported')).toBeVisible()
  await expectAccessible(page, 'the sheet of keys')
  const pages = await page.locator('#sidebar [data-go]').evaluateAll((links) =>
    links.map((link) => ({
      key: link.getAttribute('data-go') ?? '',
      path: new URL((link as HTMLAnchorElement).href).pathname,
    })),
  )
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  for (const { key, path } of pages) {
    await expect(async () => {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page).toHaveURL((url) => url.pathname === path, { timeout: 3000 })
    }).toPass()
  }
})

test('Shift+F10 opens what can be done with a line, an invoice and a group, and gives the focus back', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  const menu = page.getByRole('menu', { name: 'The row' })
  await page.goto('/lines?period=all')
  const row = page.getByRole('row').nth(1)
  await openMenu(row)
  await expectAccessible(page, 'the menu of a row')
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
  await page.keyboard.press('ContextMenu')
  await menu.getByRole('menuitem', { name: 'Only its invoice' }).click()
  await expect(page).toHaveURL(/invoice=/)

  await page.goto('/invoices?period=all')
  await openMenu(page.getByRole('row').nth(1))
  await menu.getByRole('menuitem', { name: 'Open its lines' }).click()
  await expect(page).toHaveURL(/\/lines\?.*invoice=/)

  await page.goto('/groups?period=all&by=cost_center,vertical')
  await openMenu(page.getByRole('row', { name: /4100 Sales DACH/ }))
  await menu.getByRole('menuitem', { name: 'Expand' }).click()
  await openMenu(page.getByRole('row', { name: /^flight/ }))
  await menu.getByRole('menuitem', { name: 'Open its lines' }).click()
  await expect(page).toHaveURL(/\/lines\?.*vertical=flight/)
  await expect(page).toHaveURL(/cost_center=4100/)
})

test('a figure of a group leads to its lines, in its currency', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/groups?period=all&by=cost_center')
  const row = page.getByRole('row', { name: /4100 Sales DACH/ })
  const count = row.getByRole('link').first()
  const text = (await count.textContent())?.trim()
  await count.click()
  await expect(page.getByRole('main').locator('header')).toContainText(`${text?.split(' ')[0]} of`)
  await page.goBack()
  await row.getByRole('link').nth(1).click()
  await expect(page).toHaveURL(/currency=[A-Z]{3}/)
})

test('the cost center with most EUR in March, and its lines, are three steps away', async ({ page, app, signIn }) => {
  await signIn(page)
  const [top] = await app.query(
    `select cost_center as name, count(*)::int as count from line
     where missing_since is null and currency = 'EUR' and issuing_date between '2026-03-01' and '2026-03-31'
     group by 1 order by sum(total_amount) desc limit 1`,
  )
  await page.goto('/')
  for (const words of ['groups by cost', 'mar 2026']) {
    await openPalette(page)
    await page.keyboard.type(words)
    await expect(option(page, new RegExp(`^${words}`, 'i'))).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(words === 'mar 2026' ? /by=cost_center&sort=-total&period=2026-03/ : /by=cost_center/)
  }
  const first = page.getByRole('row').nth(1)
  await expect(first).toContainText(String(top?.name))
  await first.getByRole('link').nth(1).click()
  await expect(page).toHaveURL(/currency=EUR/)
  await expect(page.getByRole('main').locator('header')).toContainText(`${top?.count} of`)
})

test('links skip the frame and then the bars, and arrows go on from the rows', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/lines?period=all')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the rows' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('row').nth(1)).toBeFocused()
})
