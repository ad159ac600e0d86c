import { expect, test } from './fixtures.ts'
import { openMenu } from './screen.ts'

test('after a reload, a step back or a link, the row of the open panel is marked and focused, and keys go on from it', async ({
  page,
  readAccount,
}) => {
  await readAccount(page)
  await page.goto('/lines')
  const rows = page.locator('tr[data-row]')
  const panel = page.getByRole('complementary', { name: 'Line' })
  const expectOn = async (at: number) => {
    await expect(panel).toBeVisible()
    await expect(rows.nth(at)).toHaveAttribute('aria-current', 'true')
    await expect(rows.nth(at)).toBeFocused()
  }
  // before its script runs, a page opens no row
  await expect(async () => {
    await rows.nth(6).click()
    await expect(panel).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expectOn(6)
  const address = page.url()
  await page.reload()
  await expectOn(6)
  await page.keyboard.press('j')
  await expectOn(7)
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Invoices/ })
    .click()
  await expect(page).toHaveURL(/\/invoices/)
  await page.goBack()
  await expectOn(7)
  await page.goto('/checks')
  await page.goto(address)
  await expectOn(6)
  await page.keyboard.press('k')
  await expectOn(5)
})

test('a button opens its box with the first click after the page, takes the focus back, and works by keyboard alone', async ({
  page,
  readAccount,
}) => {
  await readAccount(page)

  await page.goto('/lines')
  const add = page.getByRole('button', { name: 'Add filter' })
  const field = page.getByRole('combobox', { name: 'Add filter' })
  await add.click()
  await expect(field).toBeFocused()
  await expect(add).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(add).toBeFocused()
  await expect(add).toHaveAttribute('aria-expanded', 'false')
  await add.click()
  await expect(field).toBeFocused()
  await add.click()
  await expect(field).toBeHidden()

  await page.reload()
  await expect(async () => {
    await page.keyboard.press('f')
    await expect(field).toBeFocused({ timeout: 2_000 })
  }).toPass()
  await page.keyboard.type('currency')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Currency' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/currency=/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Remove filter Currency/ }).click()
  await expect(page).not.toHaveURL(/currency=/)

  await page.goto('/groups')
  await openMenu(page, page.getByRole('button', { name: 'Then by' }))
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/by=[a-z_]+,[a-z_]+/)
})

test('a menu that opens by keys under a pointer that rests keeps what the keys chose', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/invoices?period=2026-Q3')
  const button = page.getByRole('navigation', { name: 'Period of issue' }).getByRole('button')
  await openMenu(page, button)
  const second = await page.getByRole('menuitem').nth(1).boundingBox()
  await page.keyboard.press('Escape')
  await page.mouse.move((second?.x ?? 0) + 8, (second?.y ?? 0) + 8)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  // as a browser does when something else comes under the pointer
  await page.getByRole('menuitem').nth(1).dispatchEvent('pointermove', { movementX: 0, movementY: 0, bubbles: true })
  await expect(page.getByRole('menuitem').last()).toBeFocused()
})
