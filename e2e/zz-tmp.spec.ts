import { expect, test } from './fixtures.ts'
test('connects', async ({ page, app, signIn, connectAccount }) => {
  await signIn(page)
  await connectAccount(page)
  await expect(page.getByText(/Nordlicht/).first()).toBeVisible({ timeout: 30_000 })
  await app.killWorker()
  app.startWorker()
})
