import type { Page } from '@playwright/test'
import { expect, takeSession, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'
import { decideByScript as decide } from './review-steps.ts'
import { openPlainly } from './screen.ts'
import { readAgain } from './sync-screen.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Where lines stand' }).getByRole('link', { name })

// one account, read once
test.describe.configure({ mode: 'serial' })

test.beforeEach(async ({ app }) => {
  await app.query('delete from line_review returning 1 as one')
  await app.query('delete from invoice_review returning 1 as one')
})

test('somebody finds what is wrong, sees why, accepts, disputes and takes back with the keyboard alone', async ({
  page,
  readAccount,
}) => {
  await readAccount(page)
  await page.goto('/review?period=all')
  const open = Number(((await tab(page, 'Open').textContent()) ?? '').replace(/\D/g, ''))
  expect(open).toBeGreaterThan(2)
  const rows = page.locator('tr[data-row]')
  const first = (await rows.first().textContent()) ?? ''
  // the largest unexplained difference comes first, with its proof beside it
  await expect(async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('complementary', { name: 'Line' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('region', { name: 'Review' })).toContainText('open')
  // money that nothing explains asks for a reason
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Accept 1 line' })).toBeVisible()
  await page.keyboard.press(' ')
  await expect(dialog.getByLabel('Agreed with the platform')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 line accepted')).toBeVisible()
  await expect(tab(page, 'Open')).toContainText(`${open - 1}`)
  await expect(rows.first()).not.toHaveText(first)
  // one step back
  await page.keyboard.press('u')
  await expect(page.getByText('Decision 1 is taken back')).toBeVisible()
  await expect(tab(page, 'Open')).toContainText(`${open}`)
  // a dispute
  await page.keyboard.press('d')
  await expect(dialog.getByRole('heading', { name: 'Dispute 1 line' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByLabel('Wrong tax')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 line disputed')).toBeVisible()
  await expect(tab(page, 'Disputed')).toContainText('1')
})

test('a decision falls when the platform changes the line, says by how much, and comes back with it', async ({
  page,
  app,
  signIn,
}) => {
  test.setTimeout(180_000)
  await signIn(page)
  const [line] = await app.query(
    `select id, connection_id, total_amount::text as total from line where finding_count > 0 and quantity = 1 and currency = 'EUR' order by id limit 1`,
  )
  const asked = { kind: 'accept', search: '', only: [`${line?.connection_id}~${line?.id}`] }
  expect((await decide(page, app, asked, 'agreed')).ok()).toBe(true)
  const { mutations, requireAccount } = app.sandbox.state()
  mutations.updateLine(requireAccount('nordlicht'), String(line?.id), { total_amount: '999.99' })
  await readAgain(page, app, line?.connection_id)
  await page.goto('/review?period=all&tab=suspended')
  await expect(tab(page, 'Changed since')).toContainText('1')
  await page.locator('tr[data-row]').first().click()
  const review = page.getByRole('region', { name: 'Review' })
  await expect(review).toContainText('the platform changed its figures; it was accepted')
  await expect(review).toContainText(`${line?.total} EUR when decided, now 999.99 EUR`)
  mutations.updateLine(requireAccount('nordlicht'), String(line?.id), { total_amount: String(line?.total) })
  await readAgain(page, app, line?.connection_id)
  await page.goto('/review?period=all&tab=done')
  await page.locator('tr[data-row]').first().click()
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('again as it was decided')
  await expect(review).toContainText('accepted')
})

test('two people on one line: the second is told who decided, and nothing of theirs is done', async ({
  page,
  browser,
  app,
  signIn,
}) => {
  await signIn(page)
  const email = 'ben@example.com'
  await app.query(
    `insert into app_user (organization_id, email, name, role, password_hash)
     select organization_id, '${email}', 'Ben', 'finance', password_hash from app_user where email = '${app.adminEmail}' returning 1 as one`,
  )
  const other = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(other, app, email)
  await other.goto('/review?period=all')
  await expect(async () => {
    await other.keyboard.press('j')
    await other.keyboard.press('Enter')
    await expect(other).toHaveURL(/line=/, { timeout: 1000 })
    await other.keyboard.press('d')
    await expect(other.getByRole('dialog')).toBeVisible({ timeout: 5000 })
  }).toPass()
  const key = new URL(other.url()).searchParams.get('line')
  const asked = { kind: 'accept', search: '', only: [key] }
  expect((await decide(page, app, asked, 'agreed')).ok()).toBe(true)
  await other.keyboard.press('ArrowDown')
  await other.keyboard.press('Enter')
  const told = other.getByRole('dialog').getByRole('alert')
  await expect(told).toContainText('nothing was done')
  await expect(told).toContainText('decided about 1 line')
  expect(await app.query('select state from line_review')).toEqual([{ state: 'accepted' }])
  await other.keyboard.press('Escape')
  // and within seconds the list says who did what
  await expect(other.getByRole('status').filter({ hasText: 'accepted 1 line' })).toBeVisible()
  await other.close()
})

test('many lines are decided at once as they were previewed, listed as one decision, and taken back as one', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  // what is explained needs no reason
  await page.goto('/review?period=all')
  const explained = page.getByRole('button', { name: /^Accept \d+ explained lines?…$/ })
  await expect(async () => {
    // a dialog that is there by now keeps clicks away
    if (!(await page.getByRole('dialog').isVisible())) await explained.click({ timeout: 1000 })
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 3000 })
  }).toPass()
  await expect(page.getByRole('dialog').getByLabel('None')).toBeChecked()
  await page.keyboard.press('Escape')
  await page.goto('/review?period=all&currency=EUR')
  await expect(async () => {
    await page.locator('thead input[type=checkbox]').check()
    await expect(page.getByRole('button', { name: 'Decide…' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByRole('button', { name: 'Decide…' }).click()
  await page.getByRole('menuitem', { name: 'Accept…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('region', { name: 'Will change' })).toContainText('EUR')
  await expectAccessible(page, 'a decision about many lines')
  const button = dialog.getByRole('button', { name: /^Accept \d+ lines, EUR / })
  const count = Number(/\d+/.exec((await button.textContent()) ?? '')?.[0])
  expect(count).toBeGreaterThan(2)
  await dialog.getByLabel('Handled elsewhere').check()
  await button.click()
  await expect(page.getByText(`${count} lines accepted`)).toBeVisible()
  await page.goto('/decisions')
  await expectAccessible(page, 'the decisions')
  const row = page.getByRole('row').filter({ hasText: 'Handled elsewhere' }).first()
  await expect(row).toContainText(`${count} stand`)
  await row.getByRole('button', { name: /^Undo decision/ }).click()
  await expect(dialog.getByRole('region', { name: 'Will change' })).toContainText(`${count}`)
  await dialog.getByRole('button', { name: /^Undo \d+ lines/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'took back decision' }).first()).toBeVisible()
  await page.goto('/review?period=all')
  await expect(tab(page, 'Done')).toContainText('0')
})

test('an invoice’s own finding is decided by keyboard, says so on its page, and is no need on the overview', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/review?period=all')
  const told = page.getByText(/invoices? with (a finding of its|findings of their) own/)
  const count = Number(/^\d+/.exec((await told.textContent()) ?? ''))
  expect(count).toBeGreaterThan(1)
  await told.getByRole('link').click()
  await expect(page).toHaveURL(/\/invoices\?.*review=open/)
  // the address changes before the page, which has keys of its own
  await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
  const rows = page.locator('tr[data-row]')
  const ofList = (listed: number) => page.getByText(new RegExp(`–\\d+ of ${listed} invoices`))
  await expect(ofList(count)).toBeVisible()
  const serial = ((await rows.first().getByRole('link').textContent()) ?? '').trim()
  const dialog = page.getByRole('dialog')
  await expect(async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('d')
    await expect(dialog.getByRole('heading', { name: 'Dispute 1 invoice' })).toBeVisible({ timeout: 5000 })
  }).toPass()
  await expectAccessible(page, 'the dialog about an invoice')
  await expect(dialog.getByLabel('Expected back')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 invoice disputed')).toBeVisible()
  await expect(ofList(count - 1)).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByText('is taken back')).toBeVisible()
  await expect(ofList(count)).toBeVisible()
  // all of the list, as one
  await page.getByRole('button', { name: `Select all ${count} of this list` }).click()
  await page.getByRole('button', { name: 'Decide…' }).click()
  await page.getByRole('menuitem', { name: 'Accept…' }).click()
  await expect(dialog.getByRole('heading', { name: `Accept ${count} invoices` })).toBeVisible()
  await dialog.getByLabel('Agreed with the platform').check()
  await dialog.getByRole('button', { name: `Accept ${count} invoices` }).click()
  await expect(page.getByText(`${count} invoices accepted`)).toBeVisible()
  const plain = await openPlainly(page)
  await plain.goto('/')
  await expect(plain.getByRole('region', { name: 'Needs attention' })).not.toContainText('invoices with unexplained')
  const [invoice] = await app.query(`select connection_id from invoice where serial_number = '${serial}'`)
  await plain.goto(`/invoices/${invoice?.connection_id}/${encodeURIComponent(serial)}`)
  const review = plain.getByRole('region', { name: 'Review of the invoice' })
  await expect(review).toContainText('accepted')
  await expect(review.getByRole('list', { name: 'What was decided' })).toContainText('Agreed with the platform')
  await plain.goto('/decisions')
  await expect(plain.getByRole('row', { name: /accepted: Agreed/ }).first()).toContainText(`${count} invoices`)
  await plain.context().close()
})
