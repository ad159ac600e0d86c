import type { Page } from '@playwright/test'
import type { Account } from '#lib/sandbox/data/account.ts'
import { toUnits } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { openPlainly, readEquations, readTotalsStrip } from './screen.ts'
import type { App } from './start-app.ts'
import { expectGoodLooks, readAgain } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

type Stored = { id: string; serial: string; description: string; total: string }
let connectionId = ''

const account = (app: App) => app.sandbox.state().requireAccount('nordlicht')

/** A proved line in euros that the sandbox can change. */
async function findLine(app: App, offset: number): Promise<Stored> {
  const [line] = await app.query(
    `select id, invoice_serial_number as serial, description, total_amount::text as total from line
     where currency = 'EUR' and finding_count = 0 and quantity = 1 and total_amount > 10 and id not like 'sha256:%'
     order by expense_date, id offset ${offset} limit 1`,
  )
  return line as Stored
}

/** Takes a line off the platform; the answer puts it back where it was. */
function takeAway(platform: Account, id: string): () => void {
  for (const { lines } of [...platform.front, ...platform.story, ...platform.back]) {
    const at = lines.findIndex(({ wire }) => String(wire.id) === id)
    if (at < 0) continue
    const taken = lines.splice(at, 1)
    platform.revision += 1
    return () => {
      lines.splice(at, 0, ...taken)
      platform.revision += 1
    }
  }
  throw new Error(`no line ${id}`)
}

/** Every figure of overview and lines, and the counts beside the names of the pages. */
async function readFigures(plain: Page) {
  await plain.goto('/')
  const tieOut = await readEquations(plain, 'Tie-out')
  const needs = await plain.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').allTextContents()
  const sidebar = await plain.getByRole('navigation').first().getByRole('link').allTextContents()
  await plain.goto('/lines')
  return { tieOut, needs, sidebar, lines: await readTotalsStrip(plain) }
}

test('a removed line is two clicks from overview with its amount, stands struck on its invoice and in the changes, and leaves nothing when it is back', async ({
  page,
  app,
  readAccount,
}) => {
  test.setTimeout(300_000)
  await readAccount(page)
  const [connection] = await app.query('select id from connection')
  connectionId = String(connection?.id)
  await page.goto('/')
  const plain = await openPlainly(page)
  const before = await readFigures(plain)
  const line = await findLine(app, 0)
  const putBack = takeAway(account(app), line.id)
  await readAgain(page, app, connectionId)

  await page.goto('/')
  const need = page.getByRole('listitem').filter({ hasText: '1 line removed by the platform' })
  await expect(need).toContainText(`EUR ${line.total}`)
  await need.getByRole('link').click()
  const row = page.locator('table[aria-label="Lines"] tbody tr[data-row]')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(line.total)
  await row.click()
  await expect(page.getByRole('complementary', { name: 'Line' })).toContainText(line.description)

  await page.goto(`/invoices/${connectionId}/${line.serial}`)
  const removed = page.getByRole('table', { name: 'Removed lines' }).getByRole('row').last()
  await expect(removed.locator('s')).toHaveText([line.description, line.total])
  await expect(removed).toContainText(line.id)
  await expect(removed).toContainText(/just now|seconds? ago|minutes? ago/)
  await expectGoodLooks(page)

  await plain.goto('/changes')
  const entry = plain
    .getByRole('table', { name: 'Changes' })
    .getByRole('row')
    .filter({ hasText: 'removed by the platform' })
  await expect(entry.locator('s')).toHaveText([line.description, line.total])
  await expect(entry).toContainText(`−${line.total} EUR`)
  await expect(entry).toContainText(/found by a manual sync by Admin \(ref [0-9a-f]{8}\)/)
  await expect(plain.getByRole('table', { name: 'Changes' })).toContainText(
    'Total and taxes of the invoice follow its lines',
  )

  putBack()
  await readAgain(page, app, connectionId)
  expect(await readFigures(plain)).toEqual(before)
  await plain.goto('/changes')
  await expect(plain.getByText('removed by the platform')).toHaveCount(0)
  await plain.context().close()
})

test('the bridge leads from what stood through each row of the changes to what stands, and its figures to their lines', async ({
  page,
  app,
  signIn,
}) => {
  test.setTimeout(300_000)
  await signIn(page)
  // what is here arrived long before the days of the list
  await app.query(`update connection set created_at = now() - interval '90 days'`)
  await app.query(`update line set first_seen_at = now() - interval '60 days'`)
  for (const table of ['line_version', 'invoice_version'])
    await app.query(`update ${table} set valid_until = now() - interval '50 days'`)
  await page.goto('/changes')
  await expect(page.getByRole('heading', { name: 'No record was corrected' })).toBeVisible()
  const stood = await readEquations(page, 'Bridge')

  const [changed, restated, gone] = [await findLine(app, 1), await findLine(app, 2), await findLine(app, 3)]
  const { mutations } = app.sandbox.state()
  const untaxed = { non_taxable_unit_price: '0.00', tax_percentage: '0', tax_amount: '0.00' }
  mutations.updateLine(account(app), changed.id, { ...untaxed, unit_price: '1.25', total_amount: '1.25' })
  mutations.updateLine(account(app), restated.id, { total_amount: `${restated.total}0` })
  takeAway(account(app), gone.id)
  app.sandbox.state().issueInvoice('nordlicht', { lines: 3, position: 'front' })
  await readAgain(page, app, connectionId)

  await page.goto('/changes')
  const rows = await readEquations(page, 'Bridge')
  for (const { currency, figures } of rows) {
    const [first, arrived, effect, removed, now] = figures.map((figure) => figure ?? 0n) as [bigint, ...bigint[]]
    expect(first + (arrived ?? 0n) + (effect ?? 0n) - (removed ?? 0n), currency).toBe(now)
    expect(first, currency).toBe(stood.find((each) => each.currency === currency)?.figures[4] ?? 0n)
  }
  const euro = rows.find(({ currency }) => currency === 'EUR')
  expect(euro?.figures.slice(2, 4)).toEqual([toUnits('1.25') - toUnits(changed.total), toUnits(gone.total)])
  expect(euro?.notes.slice(1, 4)).toEqual(['3 lines', '1 line', '1 line'])
  const table = page.getByRole('table', { name: 'Changes' })
  await expect(table).toContainText('1 line: the same figures in another notation, no change')
  await expectGoodLooks(page)

  const bridge = page.getByRole('table', { name: 'Bridge' }).getByRole('row', { name: /^EUR/ }).getByRole('link')
  const hrefs = await bridge.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const plain = await openPlainly(page)
  for (const [at, count] of [
    [1, 3],
    [3, 1],
    [4, null],
  ] as const) {
    await plain.goto(hrefs[at] ?? '')
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Lines')
    if (count !== null) await expect(plain.locator('table[aria-label="Lines"] tbody tr[data-row]')).toHaveCount(count)
    expect((await readTotalsStrip(plain)).EUR?.total).toBe(euro?.figures[at])
  }
  await bridge.nth(2).click()
  await expect(page).toHaveURL(/money=1/)
  await expect(table.getByRole('row').filter({ hasText: changed.serial })).toContainText('total')

  // somebody who comes back reads on overview what is new to them, all day long
  await app.query(`update app_user set seen_on = current_date - 3, seen_before = null`)
  for (const look of ['first', 'second']) {
    await plain.goto('/')
    const news = plain.getByRole('region', { name: 'Since you were last here' })
    await expect(news.getByRole('listitem').first(), look).toContainText('3 new lines')
    await expect(news, look).toContainText('1 removed')
  }
  await plain.context().close()
})
