import type { Page } from '@playwright/test'
import { downloadCsv } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { readEquations, readGroups, readTotalsStrip } from './screen.ts'
import { openConnection, panel } from './sync-screen.ts'

// an app of its own: the counts are those of one account only
test.use({ appOptions: { settings: { PARTNER_NAME: 'Counted platform' } } })
test.describe.configure({ mode: 'serial' })

const toCount = (text: string) => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''))
const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

const sidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${name}`) })

/** Lines of the table's notes, such as `229 lines`. */
async function readNotes(page: Page, table: string, column: number): Promise<number> {
  const rows = await readEquations(page, table)
  return sum(rows.map(({ notes }) => (notes[column] === '' ? 0 : toCount(notes[column] ?? ''))))
}

test('every page says the same number of lines, and where one more is stored, that it is gone', async ({
  page,
  app,
  signIn,
  connectAccount,
}) => {
  test.setTimeout(300_000)
  await signIn(page)
  await connectAccount(page)
  const connection = await openConnection(page)
  await expect(panel(page)).toContainText('Backfill finished', { timeout: 60_000 })
  const [gone] = await app.query(
    `select id from line where currency = 'EUR' and finding_count = 0 and id not like 'sha256:%' order by id limit 1`,
  )
  const state = app.sandbox.state()
  state.mutations.removeLine(state.requireAccount('nordlicht'), String(gone?.id))
  await panel(page).getByRole('button', { name: 'Verify everything' }).click()
  await expect(panel(page)).toContainText('Complete verification finished', { timeout: 60_000 })

  const { lineCount } = await app.sandbox.controlTotals('nordlicht')
  await page.goto('/')
  expect(toCount((await sidebar(page, 'Lines').textContent()) ?? '')).toBe(lineCount)
  await expect(page.getByRole('main')).toContainText(`${lineCount} lines`)
  expect(await readNotes(page, 'Tie-out', 0)).toBe(lineCount)
  // the last sync says why the account has stored one more
  await expect(page.getByRole('listitem').filter({ hasText: 'Nordlicht' }).last()).toContainText(
    `${lineCount} lines, 1 gone`,
  )

  await page.goto('/lines')
  await expect(page.getByRole('main')).toContainText(new RegExp(`${lineCount} lines`))
  await expect(
    page
      .getByRole('contentinfo')
      .or(page.getByText(/^1–\d+ of/))
      .first(),
  ).toContainText(`of ${lineCount} lines`)
  expect(await downloadCsv(page)).toHaveLength(lineCount)
  await page.goto('/lines?gone=1')
  await expect(page.locator('tr[data-row]')).toHaveCount(1)

  const groups = await readGroups(page, '/groups?by=trip&size=50')
  expect(sum(groups.map(({ lines }) => lines))).toBe(lineCount)
  await expect(page.getByRole('main')).toContainText(`, ${lineCount} lines`)
  const files = await downloadCsv(page)
  expect(sum(files.map((row) => Number(row.line_count)))).toBe(lineCount)

  await page.goto('/invoices')
  expect(sum((await downloadCsv(page)).map((row) => Number(row.line_count)))).toBe(lineCount)

  await page.goto('/connections')
  await expect(page.getByRole('row', { name: /Nordlicht/ })).toContainText(new RegExp(`${lineCount}\\s*1 gone`))
  await page.goto(connection)
  await expect(page.getByRole('main')).toContainText(new RegExp(`${lineCount} lines.*1 line gone`))
  await page.goto('/changes')
  const now = await readNotes(page, 'Bridge', 4)
  expect(now).toBe(lineCount)
  const [stood, arrived, removed] = [
    await readNotes(page, 'Bridge', 0),
    await readNotes(page, 'Bridge', 1),
    await readNotes(page, 'Bridge', 3),
  ]
  expect([stood + arrived - removed, removed]).toEqual([lineCount, 1])
})

test('every page says the same number of invoices', async ({ page, app, signIn }) => {
  await signIn(page)
  const { invoiceCount } = (
    await app.query('select count(*)::int as "invoiceCount" from invoice where missing_since is null')
  )[0] as { invoiceCount: number }
  expect(toCount((await sidebar(page, 'Invoices').textContent()) ?? '')).toBe(invoiceCount)
  expect(await readNotes(page, 'Tie-out', 4)).toBe(invoiceCount)
  await expect(page.getByRole('main')).toContainText(`${invoiceCount} invoices`)
  await expect(page.getByText(`${invoiceCount} new invoices`)).toBeVisible()
  await page.goto('/invoices')
  await expect(page.getByText(/^1–\d+ of/)).toContainText(`of ${invoiceCount} invoices`)
  expect(await downloadCsv(page)).toHaveLength(invoiceCount)
})

test('findings are counted alike on every page, and each need leads to as many records as it names', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const truth = app.sandbox.groundTruth('nordlicht').findings
  const findings = sum(truth.map(({ codes }) => codes.length))
  await page.goto('/')
  const needs = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
  const open = toCount((await needs.filter({ hasText: 'nothing explains why' }).textContent()) ?? '')
  const known = toCount((await needs.filter({ hasText: 'for a known reason' }).textContent()) ?? '')
  // lines here; below, a line with a wrong total and a wrong tax has two findings
  expect(open + known).toBe(truth.length)
  for (let at = 0; at < (await needs.count()); at++) {
    const text = (await needs.nth(at).textContent()) ?? ''
    await needs.nth(at).getByRole('link').click()
    await page.waitForURL((address) => address.pathname !== '/')
    const records = page.url().includes('/rejected') ? page.locator('main article') : page.locator('tr[data-row]')
    await expect(records, text).toHaveCount(toCount(text))
    await page.goto('/')
  }
  await page.goto('/lines?findings=1')
  await expect(page.locator('tr[data-row]')).toHaveCount(truth.length)
  const strip = Object.values(await readTotalsStrip(page))
  expect(sum(strip.map(({ text }) => Number(/(\d+)\s*findings?$/.exec(text)?.[1])))).toBe(findings)
  const rows = await downloadCsv(page)
  expect(sum(rows.map((row) => (row.finding_codes as string).split(' ').length))).toBe(findings)
  const groups = await readGroups(page, '/groups?by=cost_center&size=50')
  expect(sum(groups.map((group) => group.findings))).toBe(findings)
  await page.goto('/invoices?size=200')
  const counts = await page.locator('tr[data-row] td:last-child').allTextContents()
  expect(sum(counts.map((count) => (count === '' ? 0 : toCount(count))))).toBe(findings)
})
