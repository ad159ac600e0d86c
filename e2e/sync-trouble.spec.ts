import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { readTotalsStrip } from './screen.ts'
import { expectGoodLooks, expectPlatformTotals, openConnection, panel, SCREENS, signInAs } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

const ACCOUNT = 'nordlicht'
let connectionPath = ''

async function verifyEverything(page: Page): Promise<void> {
  await page.goto(connectionPath)
  await page.getByRole('button', { name: 'Verify everything' }).click()
  await expect(panel(page)).toContainText('Complete verification read everything', { timeout: 60_000 })
  await expect(page.getByRole('button', { name: 'Mark as missing' })).toBeVisible()
}

test('holds a mass loss with its figures until an admin decides: kept, it changes nothing; marked, it leaves every total', async ({
  page,
  app,
  signIn,
  connectAccount,
  browser,
}) => {
  const state = app.sandbox.state()
  const lost = Array.from(
    { length: 3 },
    () => state.issueInvoice(ACCOUNT, { lines: 50, position: 'back' }).serialNumber,
  )
  await signIn(page)
  await connectAccount(page)
  connectionPath = await openConnection(page)
  await expect(panel(page)).toContainText('Backfill finished', { timeout: 60_000 })
  const [held] = await app.query(
    'select (select count(*)::int from line) as lines, (select count(*)::int from invoice) as invoices',
  )
  await page.goto('/lines')
  const before = await readTotalsStrip(page)
  for (const serial of lost) state.mutations.removeInvoice(state.requireAccount(ACCOUNT), serial)
  await verifyEverything(page)
  const banner = page.getByRole('status').filter({ hasText: 'no longer on the platform' })
  await expect(banner).toContainText('150 lines and 3 invoices are no longer on the platform')
  await expect(banner).toContainText(`out of ${held?.lines} lines and ${held?.invoices} invoices`)
  await expect(banner.getByRole('listitem')).toContainText(/[\d,.]+ ?EUR ?in 150 lines/)
  await expectGoodLooks(page)

  for (const role of ['finance', 'viewer']) {
    const other = await signInAs(browser, app, role)
    await other.goto(connectionPath)
    await expect(other.getByText('150 lines and 3 invoices are no longer on the platform')).toBeVisible()
    await expect(other.getByText('An admin must decide.')).toBeVisible()
    await expect(other.getByRole('button', { name: /Keep everything|Mark as missing/ })).toHaveCount(0)
    await expect(other.getByRole('button', { name: 'Sync now' })).toHaveCount(role === 'finance' ? 1 : 0)
    await other.context().close()
  }
  await page.goto('/connections')
  await expect(page.getByRole('row', { name: /Nordlicht/ })).toContainText(
    '150 lines and 3 invoices are missing on the platform',
  )

  await page.goto(connectionPath)
  await page.getByRole('button', { name: 'Keep everything' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Admin kept everything/)).toContainText('stay in lists, totals and exports')
  await expect(page).toHaveURL(new RegExp(connectionPath))
  await page.goto('/lines')
  expect(await readTotalsStrip(page)).toEqual(before)

  // kept is not forgotten: the next complete reading asks again
  await verifyEverything(page)
  await page.getByRole('button', { name: 'Mark as missing' }).click()
  await expect(page.getByText(/^Admin marked 150 lines and 3 invoices as missing/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'History', exact: true })).toContainText('150 lines, 3 invoices')
  await expectGoodLooks(page, SCREENS.slice(0, 2))
  await expectPlatformTotals(page, app, ACCOUNT)
  const [stored] = await app.query('select count(*)::int as lines from line')
  expect(stored, 'marked lines stay stored').toEqual({ lines: held?.lines })
})

test('shows everyone that calls to a failing platform are paused, and keeps for admins what it sent, as text', async ({
  page,
  app,
  signIn,
  browser,
}) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await signIn(page)
  const body = '<!doctype html><title>Down</title><script>alert("hostile")</script><h1>Back soon</h1>'
  const { faults } = app.sandbox.state()
  const match = { path: '/api/v1/invoices' }
  faults.add({ match, action: { type: 'html' } })
  faults.add({ match, times: 0, action: { type: 'status', status: 503, body, when: 'before' } })
  await page.goto(connectionPath)
  await panel(page).getByRole('button', { name: 'Sync now' }).click()
  await expect(panel(page)).toContainText('is waiting until', { timeout: 60_000 })
  await expect(page.getByText(/failed [5-9] times in a row/)).toContainText('Calls were paused')
  await expect(page.getByRole('region', { name: 'Platform', exact: true })).toContainText('calls paused')
  await expectGoodLooks(page)

  const finance = await signInAs(browser, app, 'finance')
  await finance.goto(`${connectionPath}/answers`)
  await expect(finance.getByRole('heading', { level: 1 })).not.toHaveText('Failed API calls')
  await finance.context().close()
  await page.getByRole('link', { name: /^[5-9] failed API calls$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Failed API calls')
  const answer = page.getByRole('listitem').filter({ hasText: 'HTTP 503' }).first()
  await answer.getByText('Show response').click()
  await expect(answer).toContainText('<script>alert("hostile")</script>')
  expect(dialogs).toEqual([])
  await expectGoodLooks(page)

  // paused before the platform works again: the run would else end before the click
  await page.goto(connectionPath)
  await panel(page).getByRole('button', { name: 'Pause' }).click()
  await expect(panel(page).getByRole('button', { name: 'Resume' })).toBeVisible()
  // the platform works again: the run continues from its place, at the latest when the host is
  // retried
  faults.clear()
  await app.query(`update partner_host set retry_at = now()`)
  await panel(page).getByRole('button', { name: 'Resume' }).click()
  await expect(panel(page)).toContainText('Sync of recent lines finished', { timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'Platform', exact: true })).toContainText('calls go through')
  await expectPlatformTotals(page, app, ACCOUNT)
})
