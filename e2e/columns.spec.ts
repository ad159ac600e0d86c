import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'

test.describe.configure({ mode: 'serial' })

const names = (page: Page) =>
  page.locator('thead th').evaluateAll((all) => all.map((th) => /col-(\w+)/.exec(th.className)?.[1] ?? ''))
const box = (page: Page) => page.getByRole('dialog', { name: 'Columns' })
const item = (page: Page, name: string) => box(page).locator('.column-item').filter({ hasText: name })
const OWN = [
  'mark',
  'expense_date',
  'description',
  'trip',
  'vertical',
  'cost_center',
  'invoice',
  'quantity',
  'total_amount',
  'currency',
  'finding',
]

test('columns are chosen, moved, pinned and reset, and the address has them; rows are as tall as one wants them', async ({
  page,
  readAccount,
  app,
}) => {
  test.setTimeout(240_000)
  await readAccount(page)
  await page.goto('/lines?period=all')
  await expect.poll(() => names(page)).toEqual(OWN)
  await expect(async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await expect(item(page, 'Travelers')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await item(page, 'Travelers').getByRole('checkbox').check()
  await expect(page).toHaveURL(/columns=expense_date,description,.*finding,travelers$/)
  await expect.poll(() => names(page)).toEqual([...OWN, 'travelers'])
  await expect(page.locator('td.col-travelers bdi').first()).toBeVisible()
  await expectAccessible(page, 'the columns')

  await item(page, 'Trip').getByRole('checkbox').first().uncheck()
  await expect.poll(() => names(page)).not.toContain('trip')
  await item(page, 'Travelers').dragTo(item(page, 'Description'))
  await expect(page).toHaveURL(/columns=expense_date,travelers,description,/)

  // the same by keys
  await item(page, 'Invoice').getByRole('checkbox').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page).toHaveURL(/vertical,invoice,cost_center/)
  await expect(item(page, 'Invoice').getByRole('checkbox')).toBeFocused()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page).toHaveURL(/invoice\.168/)

  await item(page, 'Description').getByRole('button', { name: 'Pin' }).click()
  await expect(page).toHaveURL(/columns=\*description,expense_date,travelers/)
  await expect(item(page, 'Description').getByRole('button', { name: 'Pin' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(box(page)).toBeHidden()
  const shown = await names(page)

  // another person's window, also without scripts, shows the same from the address
  const address = page.url()
  const html = await (await page.request.get(address)).text()
  expect([...html.matchAll(/<th[^>]*class="cell-head col-(\w+)/g)].map(([, name]) => name)).toEqual(shown)
  await page.goto(address)
  await expect.poll(() => names(page)).toEqual(shown)
  const [stored] = await app.query(
    `select count(*)::int as count from line where cardinality(traveler_names) > 0 and missing_since is null`,
  )
  expect(Number(stored?.count)).toBeGreaterThan(0)

  // sorting keeps them
  await page.getByRole('columnheader').getByRole('link', { name: 'Total' }).click()
  await expect(page).toHaveURL(/sort=-total_amount/)
  expect(await names(page)).toEqual(shown)

  await page.getByRole('button', { name: 'Columns' }).click()
  await box(page).getByRole('button', { name: 'Reset' }).click()
  await expect(page).not.toHaveURL(/columns=[a-z*]/)
  await expect.poll(() => names(page)).toEqual(OWN)

  const height = async () => (await page.locator('tr[data-row]').first().boundingBox())?.height
  await expect.poll(height).toBe(32)
  await box(page).getByRole('radio', { name: 'Comfortable' }).check()
  await expect(page).toHaveURL(/density=comfortable/)
  await expect.poll(height).toBe(40)
})

test('a pinned column stays in sight, a dragged one keeps its width, and on a phone a row has the chosen columns, each with its name', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await page.goto(
    '/lines?period=all&columns=*description.236,travelers,booker,vendor_name,reason,labels,invoice,total_amount,currency,expected_total_amount,difference,tax_amount,tax_regime',
  )
  const scroller = page.locator('.list-box')
  await scroller.evaluate((element) => {
    element.scrollLeft = 400
  })
  const cell = page.locator('td.col-description').first()
  const place = async () => (await cell.boundingBox())?.x ?? 0
  const left = (await scroller.boundingBox())?.x ?? 0
  await expect.poll(async () => Math.round((await place()) - left)).toBe(48)
  expect(Math.round((await cell.boundingBox())?.width ?? 0)).toBe(236)

  const handle = page.locator('th.col-description .resize')
  const at = await handle.boundingBox()
  await page.mouse.move((at?.x ?? 0) + 4, (at?.y ?? 0) + 8)
  await page.mouse.down()
  await page.mouse.move((at?.x ?? 0) + 64, (at?.y ?? 0) + 8, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/columns=\*description\.296,/)
  await expect.poll(async () => Math.round((await cell.boundingBox())?.width ?? 0)).toBe(296)

  await page.setViewportSize({ width: 390, height: 844 })
  const named = page.locator('td.col-travelers').first()
  await expect(named).toBeVisible()
  expect(await named.evaluate((td) => getComputedStyle(td, '::before').content)).toBe('"Travelers"')
  await expectAccessible(page, 'chosen columns on a phone')
})

test('rows are selected with Shift, with the box of the head, and all of the list', async ({ page, signIn, app }) => {
  await signIn(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/lines?period=all')
  const rows = page.locator('tr[data-row]')
  const summary = page.locator('.selection')
  await rows.nth(1).getByRole('checkbox').check()
  await rows
    .nth(5)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(summary).toContainText('5 selected')
  await rows.nth(3).getByRole('checkbox').uncheck()
  await expect(summary).toContainText('4 selected')
  const inSight = page.getByRole('checkbox', { name: 'Select the rows in sight' })
  await expect(inSight).not.toBeChecked()
  expect(await inSight.evaluate((each: HTMLInputElement) => each.indeterminate)).toBe(true)

  // a range over rows that are not drawn any more
  await summary.getByRole('button', { name: 'Clear' }).click()
  await rows.nth(0).getByRole('checkbox').check()
  await page.locator('.list-box').evaluate((element) => {
    element.scrollTop = 32 * 150
  })
  const far = page.locator('tr[aria-rowindex="155"]')
  await far.getByRole('checkbox').click({ modifiers: ['Shift'] })
  await expect(summary).toContainText('154 selected')

  const [all] = await app.query('select count(*)::int as count from line where missing_since is null')
  const count = Number(all?.count)
  await summary.getByRole('button', { name: `Select all ${count.toLocaleString('en')} of this list` }).click()
  await expect(summary).toContainText(`All ${count.toLocaleString('en')} selected`)
  const sums = await app.query(
    `select currency, sum(total_amount)::text as total from line where missing_since is null group by currency order by currency`,
  )
  for (const { currency } of sums) await expect(summary).toContainText(String(currency))
  await far.getByRole('checkbox').uncheck()
  await expect(summary).toContainText(`${(count - 1).toLocaleString('en')} selected`)
  await summary.getByRole('button', { name: 'Copy' }).click()
  await expect(summary).toContainText(`${(count - 1).toLocaleString('en')} copied`)
  const copied = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\n')
  expect(copied).toHaveLength(count)
  expect(copied[0]?.split('\t').slice(0, 3)).toEqual(['Expense date', 'Description', 'Trip'])
  const total = copied[0]?.split('\t').indexOf('Total') ?? -1
  expect(copied.slice(1).every((line) => /^-?\d+(\.\d+)?$/.test(line.split('\t')[total] ?? ''))).toBe(true)
})

test('an invoice is on paper with all its lines', async ({ page, signIn, app }) => {
  await signIn(page)
  const [longest] = await app.query(
    `select connection_id, invoice_serial_number as serial, count(*)::int as count from line
     where missing_since is null group by 1, 2 order by 3 desc limit 1`,
  )
  const count = Number(longest?.count)
  // as if a page had fewer lines than the invoice
  await page.goto(`/invoices/${longest?.connection_id}/${longest?.serial}?size=25`)
  const rows = page.locator('.line-row')
  await expect(rows.first()).toBeVisible()
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
      return rows.count()
    })
    .toBe(count)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
})
