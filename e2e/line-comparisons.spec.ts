import type { Page } from '@playwright/test'
import type { JsonObject } from '#lib/sandbox/data/wire/json.ts'
import { downloadCsv } from './csv.ts'
import { expect, test } from './fixtures.ts'
import type { App } from './start-app.ts'
import { expectGoodLooks, readAgain } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

const NEED = '1 invoice: line also on another invoice'

/** What the platform sends of a line that is here. */
function findWire(app: App, id: string): JsonObject {
  const { front, story, back } = app.sandbox.state().requireAccount('nordlicht')
  const lines = [...front, ...story, ...back].flatMap((invoice) => invoice.lines)
  return lines.find(({ wire }) => wire.id === id)?.wire as JsonObject
}

/** An invoice of one line, with this text on the platform, which is read to its end. */
async function issue(page: Page, app: App, connectionId: unknown, line: JsonObject): Promise<string> {
  const state = app.sandbox.state()
  const { serialNumber, lineIds } = state.issueInvoice('nordlicht', { lines: 1, position: 'back' })
  const [id = ''] = lineIds
  state.mutations.updateLine(state.requireAccount('nordlicht'), id, { ...line, id })
  await readAgain(page, app, connectionId)
  return serialNumber
}

test('a line that is invoiced twice is two clicks from overview with its amount and leads to the first, and a refund settles it', async ({
  page,
  app,
  readAccount,
}) => {
  test.setTimeout(300_000)
  await readAccount(page)
  const [connection] = await app.query('select id from connection')
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
  await expect(page.getByText(NEED)).toHaveCount(0)

  const [first] = await app.query(
    `select id, description, invoice_serial_number as serial, total_amount::text as total from line
     where currency = 'EUR' and finding_count = 0 and quantity = 1 and total_amount > 10 and service = 'flight'
       and id not like 'sha256:%' order by expense_date, id limit 1`,
  )
  const line = findWire(app, String(first?.id))
  const serial = await issue(page, app, connection?.id, line)
  const amount = Number(first?.total).toFixed(2)

  await page.goto('/')
  const need = page.getByRole('listitem').filter({ hasText: NEED })
  await expect(need).toContainText(`EUR ${amount}`)
  await need.getByRole('link').click()
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
  expect((await downloadCsv(page)).map((row) => row.finding_codes)).toEqual(['duplicate_line'])
  await page.getByRole('link', { name: serial }).click()
  const beside = page.getByRole('table', { name: 'Lines compared with other invoices' })
  await expect(beside.getByRole('row')).toHaveCount(2)
  await expect(beside).toContainText(`Also on ${first?.serial}: ${amount} EUR`)
  await expectGoodLooks(page)

  await beside.getByRole('link', { name: String(first?.description) }).click()
  const aside = page.getByRole('complementary', { name: 'Line' })
  await expect(aside.getByRole('list', { name: 'Compared with other lines' })).toContainText(`Also on ${first?.serial}`)
  await aside
    .getByRole('link', { name: String(first?.serial) })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(String(first?.serial))
  await expect(aside).toContainText(String(first?.description))
  await expect(page.getByRole('table', { name: 'Lines compared with other invoices' })).toHaveCount(0)

  const turn = (name: string) => `-${line[name]}`
  await issue(page, app, connection?.id, {
    ...line,
    description: 'Refund: charged twice',
    quantity: -1,
    tax_amount: turn('tax_amount'),
    total_amount: turn('total_amount'),
  })
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
  await expect(page.getByText(NEED)).toHaveCount(0)
  await page.goto('/invoices?finding=duplicate_line')
  await expect(page.locator('tr[data-row]')).toHaveCount(0)
})

test('a refund that nobody had paid for is named with its money, and on its invoice', async ({ page, app, signIn }) => {
  await signIn(page)
  const [refund] = await app.query(
    `select invoice_serial_number as serial, currency, amount::text, sum(amount) over (partition by currency)::text as sum
     from line_comparison where code = 'refund_without_original' and currency in ('EUR', 'GBP') limit 1`,
  )
  await page.goto('/')
  const need = page.getByRole('listitem').filter({ hasText: /\d+ invoices?: refund has no original payment/ })
  await expect(need).toContainText(`${refund?.currency} ${Number(refund?.sum).toFixed(2)}`)
  await need.getByRole('link').click()
  await page.getByRole('link', { name: String(refund?.serial) }).click()
  await expect(page.getByRole('table', { name: 'Lines compared with other invoices' })).toContainText(
    `Refund of ${Number(refund?.amount).toFixed(2)} ${refund?.currency} has no original payment`,
  )
})
