import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectPlatformTotals, figure, openConnection, panel, readFirst } from './sync-screen.ts'

// slow enough to pause a backfill on its way
test.use({ appOptions: { size: 'large', settings: { PARTNER_CALLS_PER_SECOND: '50' } } })

const state = (page: Page) => page.locator('header').filter({ hasText: 'Connections ›' })

test('F16: an account paused in its backfill, disconnected with its data deleted and connected again has the platform’s own totals', async ({
  page,
  app,
  signIn,
  connectAccount,
}) => {
  test.setTimeout(180_000)
  await signIn(page)
  await connectAccount(page)
  const path = await openConnection(page)
  await expect.poll(() => readFirst(figure(page, 'Lines')), { timeout: 60_000 }).toBeGreaterThan(1_000)
  await panel(page).getByRole('button', { name: 'Pause' }).click()
  await expect(panel(page)).toContainText(/First import paused by Admin/)

  await page.getByRole('button', { name: 'Disconnect…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/Delete the data/).check()
  // what is deleted is named with its money, and the account by whoever deletes it
  await expect(dialog).toContainText(/\d lines?, EUR [\d,.]+/)
  const confirm = dialog.getByRole('button', { name: /^Disconnect and delete [\d,]+ lines$/ })
  await dialog.getByLabel(/^Type .+ to delete/).fill('Another')
  await confirm.click()
  await expect(dialog).toContainText('That is not the name. Nothing was disconnected.')
  await expect(dialog.getByLabel(/^Type .+ to delete/)).toHaveValue('Another')
  await dialog.getByLabel(/^Type .+ to delete/).fill(String(await page.locator('h1').textContent()))
  await confirm.click()
  await expect(state(page)).toContainText('Disconnected: its data was deleted', { timeout: 60_000 })
  expect(await app.query('select count(*)::int as lines from line')).toEqual([{ lines: 0 }])

  await page.goto(path)
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL('**/connections/**')
  const statuses = async () =>
    (await app.query('select status from sync_run order by requested_at')).map((run) => run.status)
  await expect.poll(statuses, { timeout: 120_000, intervals: [500] }).toEqual(['failed', 'succeeded'])
  await expectPlatformTotals(page, app, 'nordlicht')
})
