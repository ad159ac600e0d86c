import { expect, test } from './fixtures.ts'

test.use({ appOptions: { settings: { PARTNER_NAME: 'Shots' } } })
test('shots', async ({ page, app, signIn, connectAccount }) => {
  const { requireAccount, mutations } = app.sandbox.state()
  const { lineIds, serialNumber } = app.sandbox
    .state()
    .issueInvoice('nordlicht', { lines: 4, issuingDate: '2026-11-20' })
  for (const id of lineIds)
    mutations.updateLine(requireAccount('nordlicht'), id, {
      quantity: 2,
      unit_price: '120.50',
      tax_amount: '16.88',
      total_amount: '257.88',
    })
  await signIn(page)
  await connectAccount(page)
  await expect
    .poll(async () => (await app.query("select from sync_run where status = 'succeeded'")).length, { timeout: 60_000 })
    .toBeGreaterThan(0)
  for (const width of [1440, 390])
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 1000 })
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto('/checks')
      await page.waitForTimeout(500)
      await page.screenshot({ path: `/tmp/shot-checks-${width}-${scheme}.png`, fullPage: true })
    }
  await page.setViewportSize({ width: 1440, height: 1000 })
  await page.goto(`/lines?invoice=${serialNumber}`)
  await page.locator('tr[data-row]').first().click()
  await page.waitForTimeout(800)
  await page.screenshot({ path: '/tmp/shot-checks-panel.png' })
})
