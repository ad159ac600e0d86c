import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { expectGoodLooks } from './sync-screen.ts'

test('the pack of an invoice is made and given on by keyboard, and an auditor without an account opens and checks it', async ({
  page,
  app,
  browser,
  readAccount,
}) => {
  test.setTimeout(180_000)
  await readAccount(page)
  const [invoice] = await app.query('select connection_id, serial_number from invoice order by serial_number limit 1')
  const serial = String(invoice?.serial_number)
  await page.goto(`/invoices/${invoice?.connection_id}/${serial}`)
  const dialog = page.getByRole('dialog', { name: 'Evidence pack' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Evidence pack' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await dialog.getByRole('button', { name: 'Make the pack' }).focus()
  await page.keyboard.press('Enter')
  const save = dialog.getByRole('button', { name: 'Save' })
  await expect(save).toBeVisible({ timeout: 60_000 })
  await save.focus()
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^tieout-pack-.+\.pdf$/)
  const check = (path: string) => spawnSync('python3', ['lib/pack/check_pack.py', path], { encoding: 'utf8' })
  const checked = check(await download.path())
  expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining('1 invoices and')])

  await dialog.getByRole('button', { name: 'Give a link' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Make a link' }).focus()
  await page.keyboard.press('Enter')
  const link = await dialog.getByRole('textbox', { name: 'The new link' }).inputValue()
  expect(link).toMatch(/\/pack#[0-9a-f-]{36}\.[\w-]{43}$/)
  await expectGoodLooks(page)

  const auditor = await browser.newContext()
  const outside = await auditor.newPage()
  await outside.goto(link)
  await expect(outside).toHaveURL(/\/pack$/) // the secret has left the address bar
  const get = outside.getByRole('button', { name: 'Get the pack' })
  const [given] = await Promise.all([outside.waitForEvent('download'), get.click()])
  expect(await readFile(await given.path())).toEqual(await readFile(await download.path()))
  await expectGoodLooks(outside)

  await dialog.getByRole('button', { name: 'Withdraw' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Withdrawn;')).toBeVisible()
  await outside.goto('about:blank')
  await outside.goto(link)
  await get.click()
  await expect(outside.getByText('This link does not open anything')).toBeVisible()
  await auditor.close()
})
