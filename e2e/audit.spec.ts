import { readFileSync } from 'node:fs'
import { parseCsvStrictly } from '#lib/export/test-support/test-parse-csv.ts'
import { expect, test } from './fixtures.ts'
import { expectGoodLooks } from './sync-screen.ts'

// the looks of four screens, and a sync
test.describe.configure({ timeout: 300_000 })

test('an admin finds who did what, narrows it, takes it away, and has the chain verified', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  await page.goto('/checks')
  await page.getByLabel('It begins in').selectOption('April')
  await page.getByRole('region', { name: 'Fiscal year' }).getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/#fiscal-year/)

  await page.goto('/audit')
  const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
  await expect(entries.first()).toContainText(app.adminEmail)
  await expect(entries.first()).toContainText('set the month with which the fiscal year begins')
  await expect(page.getByText('Log integrity not checked yet')).toBeVisible()
  await entries.first().locator('summary').click()
  await expect(entries.first().getByRole('row').filter({ hasText: 'month' })).toHaveText('month14')
  await expectGoodLooks(page)

  // filters are the address, without scripts too
  await page.getByLabel('Action').selectOption({ label: 'connected an account' })
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page).toHaveURL(/action=connection\.connected/)
  await expect(entries).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  const [header, ...rows] = parseCsvStrictly(readFileSync(await (await downloading).path(), 'utf8'))
  expect(header).toContain('previous_hash')
  expect(rows.map((row) => row[header?.indexOf('action') ?? 0])).toEqual(['connection.connected'])
  await page.getByRole('link', { name: 'Clear filters' }).click()
  // begun and ended, it is one entry
  await expect(entries.filter({ hasText: 'began to export the audit' })).toHaveCount(0)
  await expect(entries.filter({ hasText: 'exported the audit' })).toHaveCount(1)

  await page.getByRole('button', { name: 'Verify now' }).click()
  await expect(page.getByRole('status').filter({ hasText: /Chain verified up to entry \d+/ })).toBeVisible()
  await expect(entries.first()).toContainText('had the chain of the audit verified')

  // the page says so only of what it has read: an entry that somebody changed is found
  await app.query('alter table audit_entry disable trigger user')
  await app.query(`update audit_entry set after = '{"month":5}' where action = 'checks.fiscal-year'`)
  await app.query('alter table audit_entry enable trigger user')
  await page.getByRole('button', { name: 'Verify now' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The chain is broken at entry' })).toBeVisible()

  // more than a page of them: older ones by their number
  await app.query(
    `insert into audit_entry (organization_id, actor_kind, actor_name, action)
     select id, 'operator', 'a flood', 'checks.set' from organization, generate_series(1, 60)`,
  )
  await page.goto('/audit?who=a+flood')
  await expect(entries).toHaveCount(50)
  await page.getByRole('link', { name: 'Older' }).click()
  await expect(entries).toHaveCount(10)
  await expect(page.getByRole('link', { name: 'Older' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Newest' }).click()
  await expect(entries).toHaveCount(50)
})
