import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openPlainly, readTotalsStrip } from './screen.ts'
import { expectGoodLooks, expectPlatformTotals, openConnection, panel, SCREENS, signInAs } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

const ACCOUNT = 'nordlicht'
let connectionPath = ''

async function verifyEverything(page: Page): Promise<void> {
  await page.goto(connectionPath)
  await page.getByRole('button', { name: 'Run full check' }).click()
  await expect(panel(page)).toContainText('Full check read everything', { timeout: 60_000 })
  await expect(page.getByRole('link', { name: /^Accept removal of/ })).toBeVisible()
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
  await expect(panel(page)).toContainText('First import finished', { timeout: 60_000 })
  const [held] = await app.query(
    'select (select count(*)::int from line) as lines, (select count(*)::int from invoice) as invoices',
  )
  const plain = await openPlainly(page)
  const readTotals = async () => {
    await plain.goto('/lines')
    return readTotalsStrip(plain)
  }
  const before = await readTotals()
  const removed = state.requireAccount(ACCOUNT).back.filter(({ serialNumber }) => lost.includes(serialNumber))
  for (const serial of lost) state.mutations.removeInvoice(state.requireAccount(ACCOUNT), serial)
  await verifyEverything(page)
  const banner = page.getByRole('status').filter({ hasText: 'no longer on the platform' })
  await expect(banner).toContainText('150 lines and 3 invoices are no longer on the platform')
  await expect(banner).toContainText(`out of ${held?.lines} lines and ${held?.invoices} invoices`)
  await expect(banner.getByRole('listitem')).toContainText(/EUR ?[\d,.]+ ?in 150 lines/)
  await expectGoodLooks(page)

  for (const role of ['finance', 'viewer']) {
    const other = await signInAs(browser, app, role)
    await other.goto(connectionPath)
    await expect(other.getByText('150 lines and 3 invoices are no longer on the platform')).toBeVisible()
    await expect(other.getByText('An admin must decide.')).toBeVisible()
    await expect(other.getByRole('button', { name: /Keep everything/ })).toHaveCount(0)
    await expect(other.getByRole('button', { name: 'Sync now' })).toHaveCount(role === 'finance' ? 1 : 0)
    await other.context().close()
  }
  await plain.goto('/connections')
  await expect(plain.getByRole('row', { name: /Nordlicht/ })).toContainText(
    '150 lines and 3 invoices are missing on the platform',
  )

  await page.getByRole('button', { name: 'Keep everything' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Admin kept everything/)).toContainText('stay in lists, totals and exports')
  await expect(page).toHaveURL(new RegExp(connectionPath))
  expect(await readTotals()).toEqual(before)

  // kept is not forgotten: the next complete reading asks again
  await verifyEverything(page)
  await page.getByRole('link', { name: 'Accept removal of 150 lines…' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accept removal of 150 lines')
  const now = await page
    .getByRole('table', { name: /^Per currency/ })
    .getByRole('row')
    .allInnerTexts()
  expect(now.find((row) => row.startsWith('EUR'))).toMatch(/\d+ − 150 = \d+/)
  await expect(page.getByRole('table', { name: /^Largest 10 lines/ }).getByRole('row')).toHaveCount(11)
  await expectGoodLooks(page)
  const accept = page.getByRole('button', { name: /^Accept removal of 150 lines ?EUR [\d,.]+$/ })
  await page.getByLabel('Type 150 to accept').fill('15')
  await accept.click()
  await expect(page.locator('#typed-wrong')).toContainText('type 150')
  await expect(page.getByLabel('Type 150 to accept')).toHaveValue('15')

  // one of the invoices comes back before the admin has decided
  const [back] = removed
  state.requireAccount(ACCOUNT).back.push(back as NonNullable<typeof back>)
  state.mutations.updateInvoice(state.requireAccount(ACCOUNT), back?.serialNumber as string, { status: 'unpaid' })
  await app.query(`update connection set next_sync_at = now()`)
  await expect
    .poll(
      async () => (await (await page.request.get(`/api${connectionPath}/sync/loss`)).json()).preview.set.lineCount,
      {
        timeout: 60_000,
      },
    )
    .toBe(100)
  await page.getByLabel('Type 150 to accept').fill('150')
  await accept.click()
  await expect(page.getByText('Nothing was accepted: this has changed since you looked.')).toBeVisible()
  await expect(page.getByText('It was 150 lines and 3 invoices, and is 100 lines and 2 invoices now.')).toBeVisible()
  await page.getByLabel('Type 100 to accept').fill('100')
  await page.getByRole('button', { name: /^Accept removal of 100 lines/ }).click()
  await expect(page.getByText(/^Admin accepted the removal of 100 lines and 2 invoices/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'History', exact: true })).toContainText('100 lines, 2 invoices')
  expect(await readTotals()).not.toEqual(before)

  // taken back, everything is as it was
  await page.getByRole('button', { name: 'Take back…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByText(/^Admin took the accepted removal back/)).toContainText(
    '100 lines and 2 invoices count again',
  )
  expect(await readTotals()).toEqual(before)

  await verifyEverything(page)
  await page.getByRole('link', { name: /^Accept removal of/ }).click()
  await page.getByLabel('Type 100 to accept').fill('100')
  await page.getByRole('button', { name: /^Accept removal of 100 lines/ }).click()
  await expect(page.getByText(/^Admin accepted the removal of 100 lines/)).toBeVisible()
  await expectGoodLooks(page, SCREENS.slice(0, 2))
  await expectPlatformTotals(plain, app, ACCOUNT)
  await plain.context().close()
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
  const answer = page.getByRole('listitem').filter({ hasText: '(503)' }).first()
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
