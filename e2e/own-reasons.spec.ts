import { expect, test } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'
import { decideByScript, findKeys } from './review-steps.ts'

test.beforeEach(async ({ app }) => {
  for (const table of ['line_review', 'reason_list', 'dispute_letter'])
    await app.query(`delete from ${table} returning 1 as one`)
})

test('an admin adds a reason, the dialog offers it, and a decision keeps its words under a later name', async ({
  page,
  readAccount,
}) => {
  await readAccount(page)
  await page.goto('/settings')
  const disputing = page.getByRole('region', { name: 'For disputing' })
  await disputing.getByLabel('New reason for disputing').fill('The rebate is missing')
  await disputing.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('From the next decision on')).toBeVisible()
  await disputing.getByRole('button', { name: 'Retire: Charged twice' }).click()
  await expect(disputing.getByRole('list', { name: 'Retired, for disputing' })).toContainText('Charged twice')
  await disputing.getByRole('button', { name: 'Move up: The rebate is missing' }).click()
  await expect(disputing.getByRole('listitem').nth(3)).toContainText('The rebate is missing')
  await expectAccessible(page, 'the reasons of decisions')
  await page.goto('/review?period=all')
  const dialog = page.getByRole('dialog')
  await expect(async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('d')
    await expect(dialog.getByRole('heading', { name: 'Dispute 1 line' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(dialog.getByLabel('Charged twice')).toHaveCount(0)
  await dialog.getByLabel('The rebate is missing').check()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 line disputed')).toBeVisible()
  await page.goto('/settings')
  await disputing.getByText('The rebate is missing', { exact: true }).click()
  await disputing.getByLabel('Words of The rebate is missing').fill('Bonus')
  await disputing.getByRole('button', { name: 'Rename' }).locator('visible=true').click()
  await expect(disputing.getByText('Bonus', { exact: true })).toBeVisible()
  await page.goto('/decisions')
  const row = page.getByRole('row').nth(1)
  await expect(row).toContainText('disputed: The rebate is missing')
  await expect(row).toContainText('picked from a list')
})

test('who takes a letter along is asked whether it is sent; the list says since when, until it is taken back', async ({
  page,
  app,
  readAccount,
  context,
}) => {
  await readAccount(page)
  const [key = ''] = await findKeys(app, 1)
  expect((await decideByScript(page, app, { kind: 'dispute', search: '', only: [key] }, 'too_much')).ok()).toBe(true)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/review?period=all&tab=disputed')
  await expect(page.getByRole('row').filter({ hasText: 'not sent' })).toHaveCount(1)
  const letter = page.getByRole('region', { name: 'Text to the platform' })
  await expect(async () => {
    await page.locator('tr[data-row]').first().click()
    await expect(letter).toBeVisible({ timeout: 2000 })
  }).toPass()
  await letter.getByRole('button', { name: 'Copy text' }).click()
  const form = page.getByRole('form', { name: 'Sent letter' })
  await expect(form).toBeVisible()
  // nothing is sent by a copy
  expect(await app.query('select from dispute_letter')).toEqual([])
  await form.getByLabel('Sent to').fill('billing@platform.example')
  await expectAccessible(page, 'a letter that is marked as sent')
  await form.getByRole('button', { name: 'Mark as sent' }).click()
  const sent = letter.getByRole('list', { name: 'Sent letters' })
  await expect(sent).toContainText('to billing@platform.example')
  await expect(page.getByRole('region', { name: 'Review' })).toContainText('letter sent today by')
  await expect(page.getByRole('row').filter({ hasText: 'sent today by' })).toHaveCount(1)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectContrast(page, 'a sent letter, dark')
  await sent.getByRole('button', { name: /^Not sent/ }).click()
  await expect(sent).toContainText('taken back by')
  await expect(page.getByRole('region', { name: 'Review' })).toContainText('no letter sent')
  await expect(page.getByRole('row').filter({ hasText: 'not sent' })).toHaveCount(1)
})
