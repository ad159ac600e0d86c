import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { expectGoodLooks } from './sync-screen.ts'

test('a viewer of an invoice gets the platform’s own document, or reads why there is none', async ({
  page,
  app,
  signIn,
  connectAccount,
}) => {
  await signIn(page)
  await connectAccount(page)
  await expect
    .poll(async () => (await app.query(`select from sync_run where status = 'succeeded'`)).length, { timeout: 60_000 })
    .toBe(1)
  const [invoice] = await app.query('select connection_id, serial_number from invoice order by serial_number limit 1')
  const serial = String(invoice?.serial_number)
  await page.goto(`/invoices/${invoice?.connection_id}/${serial}`)
  const button = page.getByRole('button', { name: 'Original document' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const file = await readFile(await download.path(), 'latin1')
  expect(file).toMatch(/^%PDF-/)
  expect(file).toContain(`Invoice ${serial}`)
  expect(download.suggestedFilename()).toBe(`${serial}.pdf`)

  app.sandbox.state().faults.add({
    match: { path: `/api/v1/invoices/${serial}/pdf` },
    times: 0,
    action: { type: 'status', status: 404, when: 'before' },
  })
  // by keyboard alone
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'document' })).toHaveText(
    'The travel platform has no document for this invoice.',
  )
  await expectGoodLooks(page)
  // nothing of the document, nor the platform's address of it, is kept
  expect(await app.query('select from document_wish')).toHaveLength(0)
})
