import type { Page } from '@playwright/test'
import { toUnits } from './csv.ts'
import { expect, signInByForm, test } from './fixtures.ts'
import { openPeriods, openPlainly, readEquations, readTotalsStrip } from './screen.ts'
import { expectGoodLooks } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

const MONTH = '2026-09'

/** The lines of each currency, as the tie-out has them. */
async function readLines(page: Page): Promise<Record<string, bigint>> {
  const rows = await readEquations(page, 'Tie-out')
  return Object.fromEntries(rows.map(({ currency, figures }) => [currency, figures[0] ?? 0n]))
}

/** The total row of the chart: of each vertical, and of all. */
async function readChart(page: Page) {
  const cells = await page
    .locator('.month-table tfoot td')
    .evaluateAll((all) => all.map((cell) => (cell.querySelector('.sr-only') ?? cell).textContent))
  const columns = await page
    .locator('.month-table tbody tr td:last-child')
    .evaluateAll((all) => all.map((cell) => (cell.querySelector('.sr-only') ?? cell).textContent))
  const [net = 0n, ...parts] = cells.map((text) => toUnits(text)).reverse()
  return { net, parts, columns: columns.map((text) => toUnits(text)) }
}

const sum = (all: bigint[]) => all.reduce((total, each) => total + each, 0n)

test('NA1, NA8: one month’s counts and sums are the same on every page, and its chart adds up to its strip', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  // a difference of the month, and one outside of it
  await app.query(
    `update invoice set total = total + 120 where serial_number in (
       (select min(serial_number) from invoice where currency = 'GBP' and to_char(issuing_date, 'YYYY-MM') = '${MONTH}'),
       (select min(serial_number) from invoice where currency = 'JPY' and to_char(issuing_date, 'YYYY-MM') = '2026-08'))`,
  )
  const stored = await app.query(
    `select currency, count(*)::int as count, sum(total_amount)::text as sum,
            count(*) filter (where finding_count > 0 and not finding_codes <@ coalesce(explained_codes, '{}'))::int as open
     from line where missing_since is null and to_char(issuing_date, 'YYYY-MM') = '${MONTH}' group by 1 order by 1`,
  )
  const sums = Object.fromEntries(stored.map(({ currency, sum: total }) => [currency, toUnits(String(total))]))
  const count = stored.reduce((all, each) => all + Number(each.count), 0)
  const open = stored.reduce((all, each) => all + Number(each.open), 0)

  await page.goto(`/?period=${MONTH}`)
  expect(await readLines(page)).toEqual(sums)
  await expect(page.getByRole('main').locator('header')).toContainText(`${count} lines`)
  const plain = await openPlainly(page)
  for (const { currency } of stored) {
    await plain.goto(`/?period=${MONTH}&chart=${currency}`)
    const chart = await readChart(plain)
    expect([currency, chart.net]).toEqual([currency, sums[String(currency)]])
    expect(sum(chart.parts), String(currency)).toBe(chart.net)
    expect(sum(chart.columns), String(currency)).toBe(chart.net)
  }
  await plain.context().close()

  const needs = page.getByRole('region', { name: 'Needs attention' })
  await expect(needs).toContainText('120.00 GBP')
  await expect(needs.getByRole('listitem').filter({ hasText: /JPY.*120/ })).toHaveCount(0)
  await expect(needs.locator('[data-outside]')).toContainText(/Outside Sep 2026: .*invoices? not tied out, .*JPY 120/)
  if (open > 0) await expect(needs).toContainText(`${open} line`)
  for (const link of await needs.getByRole('listitem').getByRole('link').all()) {
    const href = (await link.getAttribute('href')) ?? ''
    if (/^\/(lines|invoices)\?/.test(href)) expect(href).toContain(`period=${MONTH}`)
  }
  await expectGoodLooks(page)

  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'Lines' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lines')
  await expect(page).toHaveURL(`${app.appUrl}/lines?period=${MONTH}`)
  const strip = await readTotalsStrip(page)
  expect(Object.fromEntries(Object.entries(strip).map(([currency, { total }]) => [currency, total]))).toEqual(sums)
  await expect(page.getByRole('main')).toContainText(new RegExp(`${count} of \\d+ lines`))
  await main.getByRole('link', { name: 'Groups' }).click()
  await expect(page).toHaveURL(`${app.appUrl}/groups?period=${MONTH}`)
  await expect(page.getByRole('main')).toContainText(new RegExp(`${count} of \\d+ lines`))
  await main.getByRole('link', { name: 'Invoices' }).click()
  await expect(page).toHaveURL(`${app.appUrl}/invoices?period=${MONTH}`)
  const [invoices] = await app.query(
    `select count(*)::int as count from invoice where missing_since is null and to_char(issuing_date, 'YYYY-MM') = '${MONTH}'`,
  )
  await expect(page.getByRole('main')).toContainText(new RegExp(`${invoices?.count} of \\d+ invoices`))

  // what is outside is one step away
  await main.getByRole('link', { name: 'Overview' }).click()
  await page.locator('[data-outside]').getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(/period=all/)
  await expect(page.locator('[data-outside]')).toHaveCount(0)
})

test('a bar of the chart leads to its lines within the scope, by day of issue, of expense and of one profile', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await page.goto(`/?period=2026-Q3`)
  const plain = await openPlainly(page)
  for (const scope of [`period=${MONTH}`, `period=${MONTH}&date=expense`, 'period=2026-Q3', 'period=all']) {
    await plain.goto(`/?${scope}`)
    const { net, columns } = await readChart(plain)
    const toHref = (where: string) => plain.locator(`.month-table ${where}`).first().getAttribute('href')
    for (const [href, sum] of [
      [await toHref('tbody a'), columns[0]],
      [await toHref('tfoot a'), net],
    ] as const) {
      await plain.goto(String(href))
      await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Lines')
      const [total] = Object.values(await readTotalsStrip(plain))
      expect(total?.total, scope).toBe(sum)
    }
  }
  await plain.context().close()
  await page.getByRole('button', { name: /^Profile: / }).click()
  await page.getByRole('menuitem').nth(1).click()
  await expect(page).toHaveURL(/profile=/)
  const lines = await readLines(page)
  const { net, columns } = await readChart(page)
  expect(Object.values(lines)).toContain(net)
  expect(sum(columns)).toBe(net)
  await expect(page.getByRole('heading', { name: /net by month of issue/ })).toBeVisible()
})

test('NA2: nothing but the person changes the period: not Changes, not signing in, not a typed address', async ({
  page,
  app,
}) => {
  await signInByForm(page, app)
  await expect(page).toHaveURL(/\/\?period=\d{4}-Q[1-4]$/)
  await openPeriods(page)
  await page.getByRole('menuitem', { name: /^Last month/ }).click()
  await expect(page).toHaveURL(/\/\?period=\d{4}-\d{2}$/)
  const [, period] = page.url().split('?')
  const main = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Changes', 'Lines', 'Connections', 'Invoices', 'People', 'Groups', 'Checks', 'Overview']) {
    await main.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    if (!/Connections|People|Checks/.test(name)) await expect(page).toHaveURL(new RegExp(`[?]${period}$`))
  }
  // a typed address, and another visit
  await page.goto('/lines')
  await expect(page).toHaveURL(`${app.appUrl}/lines?${period}`)
  await page.request.post(`${app.appUrl}/api/sign-out`, { headers: { origin: app.appUrl } })
  await signInByForm(page, app)
  await expect(page).toHaveURL(`${app.appUrl}/?${period}`)
  // a link says what it shows, and the sidebar leads back to what one had
  await page.goto('/lines?gone=1')
  await expect(page).toHaveURL(`${app.appUrl}/lines?gone=1`)
  await main.getByRole('link', { name: 'Invoices' }).click()
  await expect(page).toHaveURL(`${app.appUrl}/invoices?${period}`)
  // days of expense go through a page that has none
  await page.goto('/lines?period=2026-09')
  await page.getByRole('link', { name: 'By expense' }).click()
  await expect(page).toHaveURL(/period=2026-09&date=expense$/)
  for (const name of ['Invoices', 'Groups', 'Overview', 'Lines']) {
    await main.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }
  await expect(page).toHaveURL(/period=2026-09&date=expense$/)
})

test('NB6: removed lines are counted as what they are, struck, dated, and in no selection', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await app.query(
    `update line set missing_since = now() where id in (select id from line where finding_count = 0 order by id limit 3)`,
  )
  await page.goto('/lines?gone=1')
  await expect(page.getByRole('main')).toContainText('3 removed lines, in no total')
  const rows = page.locator('tr[data-row]')
  await expect(rows).toHaveCount(3)
  await expect(rows.first().locator('s')).toHaveCount(2)
  await expect(rows.first()).toContainText(/removed \w+ \d+, \d{4}/)
  await expect(rows.getByRole('checkbox')).toHaveCount(0)
  await expectGoodLooks(page)
  await app.query('update line set missing_since = null')
})

test('NB8: an account’s name of any length stays on its line', async ({ page, app, signIn, connectAccount }) => {
  await signIn(page)
  await connectAccount(page, { account: 'Meridian Works' })
  // the worker names the account once it has read its profiles
  const rename = () =>
    app.query(
      `update connection set name = repeat('Company with a long name ', 8) where name not like 'Nordlicht%' returning id`,
    )
  await expect.poll(async () => (await rename()).length, { timeout: 30_000 }).toBe(1)
  await page.goto('/')
  const button = page.getByRole('button', { name: /^Account: / })
  await button.click()
  await page.getByRole('menuitem', { name: /^Company/ }).click()
  for (const name of ['Overview', 'Lines']) {
    if (name === 'Lines') await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(button).toHaveAttribute('title', /^Company with/)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect((await button.boundingBox())?.height).toBeLessThan(30)
    }
    await expectGoodLooks(page)
  }
})
