import { expect, test } from './fixtures.ts'

test.use({ appOptions: { size: 'company', settings: { PARTNER_NAME: 'Shots' } } as never })
test('shots', async ({ page, app, signIn, connectAccount }) => {
  await signIn(page)
  await connectAccount(page)
  await expect
    .poll(async () => (await app.query("select from sync_run where status = 'succeeded'")).length, { timeout: 60_000 })
    .toBeGreaterThan(0)
  const [dup] = await app.query('select connection_id as c, invoice_serial_number as s from line_comparison limit 1')
  const pages: Record<string, string> = {
    overview: '/?period=2026-Q4',
    lines: '/lines?period=2026-Q4',
    invoices: '/invoices?period=2026-Q4',
    groups: '/groups?period=2026-Q4',
    checks: '/checks',
    dup: `/invoices/${dup?.c}/${dup?.s}`,
  }
  for (const [name, path] of Object.entries(pages))
    for (const width of [1440, 390])
      for (const scheme of ['light', 'dark'] as const) {
        if ((scheme === 'dark') !== (width === 390)) continue
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: scheme })
        await page.goto(path)
        await page.waitForTimeout(400)
        if (name === 'lines') {
          await page.getByRole('navigation', { name: 'Period of issue' }).getByRole('button').click()
          await page.waitForTimeout(400)
        }
        await page.screenshot({ path: `/tmp/shot-${name}-${width}.png` })
      }
})
