import type { Page } from '@playwright/test'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import type { App } from './start-app.ts'
import { expectGoodLooks } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

/**
 * Issues an invoice whose twelve lines round their tax per unit: 2 x 120.50 at 7 % is 16.87, not
 * 16.88.
 */
function issuePerUnit(app: App): string {
  const { requireAccount, mutations } = app.sandbox.state()
  const account = requireAccount('nordlicht')
  const { serialNumber, lineIds } = app.sandbox
    .state()
    .issueInvoice('nordlicht', { lines: 12, issuingDate: '2026-11-20' })
  const stated = { quantity: 2, unit_price: '120.50', tax_amount: '16.88', total_amount: '257.88' }
  for (const id of lineIds) mutations.updateLine(account, id, stated)
  return serialNumber
}

/** How many findings all lines have, as the summaries count them. */
async function countFindings(page: Page): Promise<number> {
  const summary = await (await page.request.get('/api/summaries?by=currency', KEPT_ALIVE)).json()
  return summary.rows.reduce((sum: number, { findingCount }: { findingCount: number }) => sum + findingCount, 0)
}

const row = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Line checks' }).getByRole('listitem').filter({ hasText: label })

test('a habit that is proposed and accepted explains its lines; withdrawn, they are unexplained again', async ({
  page,
  app,
  readAccount,
}) => {
  const serial = issuePerUnit(app)
  await readAccount(page)
  const lines = (outcome: string) => page.goto(`/lines?invoice=${encodeURIComponent(serial)}&outcome=${outcome}`)
  await lines('unexplained')
  await expect(page.locator('tr[data-row]')).toHaveCount(12)
  // the panel of such a line leads to the habits
  await page.locator('tr[data-row]').first().click()
  await page.locator('#line-panel').getByRole('link', { name: 'habit' }).click()
  await expect(page.getByRole('heading', { name: 'Rounding rules of issuers' })).toBeVisible()
  const habits = page.getByRole('region', { name: 'Rounding rules of issuers' }).getByRole('listitem')
  await expect(habits).toHaveCount(1)
  await expect(habits).toContainText('Tax rounded per unit')
  await expectGoodLooks(page)

  await habits.getByRole('button', { name: 'Accept' }).click()
  await expect(habits).toContainText('accepted by')
  await lines('explained')
  await expect(page.locator('tr[data-row]')).toHaveCount(12)
  await page.locator('tr[data-row]').first().click()
  await expect(page.locator('#line-panel')).toContainText('as its issuer is known to do')

  await page.goto('/checks')
  await habits.getByRole('button', { name: 'Withdraw' }).click()
  await expect(habits).toContainText('proposed')
  await lines('unexplained')
  await expect(page.locator('tr[data-row]')).toHaveCount(12)
})

test('a check that is set to note, by keyboard, takes its findings off every page and keeps who did it; set back, they return', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const before = await countFindings(page)
  const [{ count: taxes } = {}] = await app.query(
    `select count(*)::int as count from line where 'tax' = any(finding_codes) and missing_since is null`,
  )
  expect(taxes).toBeGreaterThan(12)
  await page.goto('/checks')
  const tax = row(page, 'Tax does not match its rate')
  await tax.getByLabel(': result').focus()
  await page.keyboard.press('n')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(tax.getByRole('button', { name: 'Preview' })).toBeFocused()
  await page.keyboard.press('Enter')
  // nothing is applied before it was seen
  await expect(tax).toContainText(new RegExp(`^.*${taxes} findings, .*EUR [\\d,.]+.* become notes`, 's'))
  expect(await app.query(`select from check_setting where check_code = 'line_tax'`)).toEqual([])
  await tax.getByRole('button', { name: 'Apply' }).press('Enter')
  await expect(tax).toContainText('Admin')
  await expect(tax.getByLabel(': result')).toHaveValue('note')
  expect(await countFindings(page)).toBe(before - (taxes as number))
  await page.goto('/lines?finding=tax')
  await expect(page.getByText('No lines match')).toBeVisible()

  await page.goto('/checks')
  await tax.getByLabel(': result').selectOption('finding')
  await tax.getByRole('button', { name: 'Preview' }).click()
  await expect(tax).toContainText(`${taxes} notes`)
  await tax.getByRole('button', { name: 'Apply' }).click()
  await expect(tax.getByLabel(': result')).toHaveValue('finding')
  expect(await countFindings(page)).toBe(before)
})

test('a tolerance that cannot be read is refused with what to write, and nothing is changed', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/checks')
  const total = row(page, 'Total does not add up')
  await total.getByLabel('tolerance').fill('0,05 EUR')
  await total.getByRole('button', { name: 'Preview' }).click()
  await expect(total).toContainText('such as EUR 0.05, JPY 1')
  await expect(total.getByLabel('tolerance')).toHaveValue('0,05 EUR')
  expect(await app.query(`select from check_setting where check_code = 'line_total'`)).toEqual([])
  await total.getByLabel('tolerance').fill('eur 0.05, 1 JPY')
  await total.getByRole('button', { name: 'Preview' }).click()
  await expect(total).toContainText(/become notes?|becomes a note/)
  await total.getByRole('button', { name: 'Apply' }).click()
  await expect(total.getByLabel('tolerance')).toHaveValue('EUR 0.05, JPY 1')
  await page.goto('/lines?finding=total&currency=JPY')
  await expect(page.getByText('No lines match')).toBeVisible()
})
