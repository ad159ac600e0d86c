import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import { expectGoodLooks, openConnection, panel, signInAs } from './sync-screen.ts'

test('an admin chooses by keyboard how often an account syncs, its history says so, and others can only read it', async ({
  page,
  app,
  browser,
  signIn,
  connectAccount,
}) => {
  await signIn(page)
  await connectAccount(page)
  const path = await openConnection(page)
  await expect(panel(page)).toContainText('First import finished', { timeout: 60_000 })
  const schedule = page.getByLabel('Sync automatically')
  const save = page.getByRole('region', { name: 'Schedule' }).getByRole('button', { name: 'Save' })
  await expect(schedule).toHaveValue('60')
  await schedule.focus()
  await schedule.selectOption('every 4 hours')
  await expectGoodLooks(page)
  await page.keyboard.press('Tab')
  await expect(save).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('synced every 4 hours')).toBeVisible()
  await expect(schedule).toHaveValue('240')
  await expect(save).toHaveCount(0)

  for (const [label, choice, told] of [
    ['Read recent lines again', 'every 6 hours', 'recent lines read again every 6 hours'],
    ['Read everything again', 'every 4 weeks', 'everything read again every 4 weeks'],
  ] as const) {
    await page.getByLabel(label).selectOption(choice)
    await save.click()
    await expect(page.getByText(told)).toBeVisible()
  }
  await expect(schedule).toHaveValue('240')
  await expectGoodLooks(page)

  const other = await signInAs(browser, app, 'finance')
  await other.goto(path)
  await expect(other.getByText('every 4 hours', { exact: true })).toBeVisible()
  await expect(other.getByLabel('Sync automatically')).toHaveCount(0)
  const headers = { origin: app.appUrl, 'sec-fetch-site': 'same-origin' }
  const refused = await other.request.post(`/api${path}/sync/schedule`, {
    ...KEPT_ALIVE,
    headers,
    form: { minutes: '15' },
  })
  expect(refused.status()).toBe(403)
  const wrong = await page.request.post(`/api${path}/sync/schedule`, { ...KEPT_ALIVE, headers, form: { minutes: '7' } })
  expect(wrong.status()).toBe(400)
  const stored = 'select sync_every_minutes, look_back_every_hours, verify_every_days from connection'
  expect(await app.query(stored)).toEqual([
    { sync_every_minutes: 240, look_back_every_hours: 6, verify_every_days: 28 },
  ])
})
