import type { Page } from '@playwright/test'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'
import { pressUntilFocused } from './screen.ts'
import type { App } from './start-app.ts'

/** Syncs the only account once more, without its page. */
async function syncAgain(page: Page, app: App): Promise<void> {
  const [connection] = await app.query('select id from connection')
  const reply = await page.request.post(`/api/connections/${connection?.id}/sync`, {
    headers: { origin: app.appUrl },
    ...KEPT_ALIVE,
  })
  expect(reply.ok()).toBe(true)
}

async function waitForRuns(app: App, count: number): Promise<void> {
  await expect
    .poll(async () => (await app.query(`select id from sync_run where status = 'succeeded'`)).length, {
      timeout: 60_000,
    })
    .toBe(count)
}

test.describe.configure({ mode: 'serial' })

test('a gap in the calendar leads to its invoice, and the next sync fills it; arrow keys move between the cells, and Tab stops once', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  // a loss that no sync has noticed: one line of an invoice that states its line count
  const [account] = await app.query('select organization_id as organization from connection')
  const ofOrganization = (table: string) => `${table}.organization_id = '${account?.organization}'`
  const [lost] = await app.query(
    `delete from line where ${ofOrganization('line')} and id = (
       select l.id from line l join invoice i
         on i.organization_id = l.organization_id and i.serial_number = l.invoice_serial_number
       where ${ofOrganization('l')} and i.stated_line_count > 3 and i.credit_used is null
         and not exists (select from rejected_line r
           where r.organization_id = i.organization_id and r.invoice_serial_number = i.serial_number)
       order by i.issuing_date desc, l.id limit 1)
     returning invoice_serial_number as serial`,
  )
  await page.goto('/connections')
  await page.getByRole('link', { name: /^Coverage of/ }).click()
  await expect(page.getByRole('heading', { name: /^Coverage of/ })).toBeVisible()
  const coverage = page.url()
  await expectAccessible(page, page.url())
  const gap = page.locator('.calendar a', { hasText: '1 line missing' })
  await expect(gap).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Gaps', exact: true })).toContainText('1 line missing')
  await gap.click()
  await page.getByRole('link', { name: lost?.serial as string }).click()
  await expect(page.getByRole('region', { name: 'Tie-out', exact: true })).toContainText('missing')
  await expectAccessible(page, page.url())

  await syncAgain(page, app)
  await waitForRuns(app, 2)
  await page.goto(coverage)
  await expect(page.getByRole('heading', { name: 'Gaps' })).toBeVisible()
  await expect(gap).toHaveCount(0)

  // by keys
  const stop = page.locator('.calendar a[tabindex="0"]').first()
  await stop.focus()
  const before = (await stop.getAttribute('href')) ?? ''
  await pressUntilFocused(page, 'ArrowLeft', page.locator(`.calendar a:focus:not([href="${before}"])`))
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('.calendar a:focus')).toHaveAttribute('href', before)
  await expect(page.locator('.calendar a[tabindex="0"]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/invoices\?connection=/)
})

test('lists a correction on the platform with its effect on amounts, and the line shows its former values', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const [line] = await app.query(
    `select id, total_amount::text as total from line where currency = 'EUR' and quantity = 1 and id not like 'sha%' and finding_count = 0
     order by expense_date limit 1`,
  )
  const { mutations, requireAccount } = app.sandbox.state()
  mutations.updateLine(requireAccount('nordlicht'), line?.id as string, {
    unit_price: '100.00',
    non_taxable_unit_price: '0.00',
    tax_percentage: '0',
    tax_amount: '0.00',
    total_amount: '100.00',
    description: 'Corrected by the issuer',
  })
  await syncAgain(page, app)
  await waitForRuns(app, 3)
  await page.goto('/changes')
  const change = page.getByRole('row').filter({ hasText: 'Corrected by the issuer' }).first()
  await expect(change).toContainText('late correction')
  await expect(change).toContainText(line?.total as string)
  await expectAccessible(page, page.url())
  await change.getByRole('link', { name: 'Corrected by the issuer' }).click()
  const history = page.getByRole('complementary', { name: 'Line' }).getByRole('region', { name: /^Activity/ })
  await expect(history).toContainText('changed on the platform')
  await expect(history).toContainText('unit price')
})

test('admins see where the platform’s records differ from the known interface', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/connections')
  await page.getByRole('link', { name: /^Coverage of/ }).click()
  await page.getByRole('link', { name: 'Interface' }).click()
  await expect(page.getByRole('row', { name: /allocation/ })).toContainText('new field (list)')
  await expect(page.getByRole('row', { name: /allocation/ })).toContainText('[{"percent":"999","code":"X"}]')
  await expectAccessible(page, page.url())
})
