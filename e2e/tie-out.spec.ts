import type { Page } from '@playwright/test'
import { toUnits } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { openPeriods, openPlainly, pressUntilFocused, readEquations, readTotalsStrip } from './screen.ts'
import { expectGoodLooks } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

async function readTieOut(page: Page) {
  const rows = await readEquations(page, 'Tie-out')
  return rows.map(({ currency, figures }) => {
    const [
      lines = 0n,
      notImported = 0n,
      creditUsed = 0n,
      comesTo = 0n,
      invoices = 0n,
      explained = 0n,
      unexplained = 0n,
    ] = figures.map((figure) => figure ?? 0n)
    return { currency, lines, notImported, creditUsed, comesTo, invoices, explained, unexplained }
  })
}

const openOverview = async (page: Page) => {
  await page.goto('/')
  return readTieOut(page)
}

test('overview ties lines and invoices out per currency, to the last digit, and each step leads to what it sums', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const rows = await openOverview(page)
  const stored = await app.query(
    `select currency, coalesce(sum(lines), 0)::text as lines, sum(invoices)::text as invoices, sum(credit)::text as credit
     from (select currency, sum(total) as invoices, coalesce(sum(abs(credit_used)), 0) as credit, null::numeric as lines
           from invoice where missing_since is null group by 1
           union all
           select currency, null, null, sum(total_amount) from line where missing_since is null group by 1) each
     group by 1 having sum(invoices) is not null order by 1`,
  )
  expect(rows.map(({ currency, lines, invoices, creditUsed }) => [currency, lines, invoices, creditUsed])).toEqual(
    stored.map(({ currency, lines, invoices, credit }) => [
      currency,
      toUnits(String(lines)),
      toUnits(String(invoices)),
      toUnits(String(credit)),
    ]),
  )
  for (const row of rows) {
    expect(row.lines + row.notImported - row.creditUsed, row.currency).toBe(row.comesTo)
    expect(row.explained + row.unexplained, row.currency).toBe(row.invoices - row.comesTo)
    // the sandbox plants no difference that nothing explains
    expect(row.unexplained, row.currency).toBe(0n)
  }
  // the two lines that could not be read are what the invoices have more
  expect(rows.find(({ currency }) => currency === 'EUR')?.notImported).toBe(toUnits('97.90'))
  await expectGoodLooks(page)
  const euro = page.getByRole('table', { name: 'Tie-out' }).getByRole('row', { name: /^EUR/ })
  await euro.getByRole('link').nth(2).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoices')
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
})

test('the tie-out of a period of issue comes to its invoices, its figures lead to the lists of the period, and it stays when another is chosen', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/')
  const periods = page.getByRole('navigation', { name: 'Period of issue' })
  await expect(periods.getByRole('button')).toHaveText('All time')
  await expect(page.getByRole('navigation', { name: 'Account' })).toHaveCount(0)
  // by keyboard alone
  await openPeriods(page)
  await page.keyboard.press('ArrowDown')
  await pressUntilFocused(page, 'ArrowDown', page.getByRole('menuitem', { name: 'This quarter' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/period=\d{4}-Q[1-4]/)
  const quarter = new URL(page.url()).searchParams.get('period') ?? ''
  await expect(page.getByText('Invoices and lines issued')).toBeVisible()
  const [year, number] = [Number(quarter.slice(0, 4)), Number(quarter.slice(6))]
  const days = (months: number) => `date '${year}-01-01' + interval '${(number - 1) * 3 + months} months'`
  const sumOf = (table: string, amount: string, from: number) =>
    app.query(
      `select currency, sum(${amount})::text as sum from ${table} where missing_since is null
         and issuing_date >= ${days(from)} and issuing_date < ${days(from + 3)} group by 1 order by 1`,
    )
  const [lines, invoices] = [await sumOf('line', 'total_amount', 0), await sumOf('invoice', 'total', 0)]
  const rows = await readTieOut(page)
  const toPairs = (sums: Record<string, unknown>[]) => sums.map(({ currency, sum }) => [currency, toUnits(String(sum))])
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.map((row) => [row.currency, row.lines])).toEqual(toPairs(lines))
  expect(rows.map((row) => [row.currency, row.invoices])).toEqual(toPairs(invoices))
  for (const { currency, unexplained } of rows) expect(unexplained, currency).toBe(0n)
  await expectGoodLooks(page)

  // the chart's other currency keeps the period
  await page.getByRole('navigation', { name: 'Currency of the chart' }).getByRole('link').nth(1).click()
  await expect(page).toHaveURL(new RegExp(`period=${quarter}&chart=`))
  const euro = page.getByRole('table', { name: 'Tie-out' }).getByRole('row', { name: /^EUR/ })
  await euro.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lines')
  expect((await readTotalsStrip(page)).EUR?.total).toBe(rows.find(({ currency }) => currency === 'EUR')?.lines)
})

test('an invoice with a line that could not be imported ties out, names the line, and is a finding; one that ties out as rounded says what it comes to before rounding; a list says which part of its link is no filter', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const [imported] = await app.query(
    `select connection_id as account, invoice_serial_number as serial from rejected_line where stated_total = 85.60`,
  )
  const [rounded] = await app.query(
    `select i.connection_id as account, i.serial_number as serial from invoice i where i.currency = 'EUR' and i.credit_used is not distinct from 0
       and (select sum(total_amount) from line l where l.organization_id = i.organization_id
              and l.invoice_serial_number = i.serial_number) between i.total - 0.001 and i.total - 0.00000001 limit 1`,
  )
  const toAddress = ({ account, serial }: Record<string, unknown> = {}) => `/invoices/${account}/${serial}`
  await page.goto(toAddress(imported))
  const grid = page.getByRole('region', { name: 'Tie-out', exact: true })
  await expect(grid).toContainText('1 line not imported, 85.60; ties out with it')
  await expect(grid.getByRole('row', { name: /^Not imported · 1 line/ })).toContainText('85.60')
  await expect(page.getByRole('main')).toContainText('1 line not imported')
  await expectGoodLooks(page)

  const plain = await openPlainly(page)
  await plain.goto('/invoices?finding=not_imported')
  await expect(plain.locator('tr[data-row]')).toHaveCount(2)
  await plain.goto(toAddress(rounded))
  const roundedGrid = plain.getByRole('region', { name: 'Tie-out', exact: true })
  await expect(roundedGrid).toContainText('before rounding')
  await expect(roundedGrid.getByRole('row', { name: /^Expected total/ })).toContainText('ties out as rounded')

  await plain.goto('/lines?findings=only&vertical=hotel&colour=red')
  await expect(plain.getByRole('status').first()).toContainText(
    '2 filters of this link were not understood and are left out: findings=only, colour=red',
  )
  await plain.goto('/lines?findings=1&vertical=hotel&sort=-total_amount&page=1')
  await expect(plain.locator('tr[data-row]').first()).toBeVisible()
  await expect(plain.getByText('not understood')).toHaveCount(0)
  await plain.context().close()
})

test('an invoice above its lines stands first on overview with its amount, one click from its page', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const [invoice] = await app.query(
    `update invoice set total = total + 120 where serial_number = (select min(serial_number) from invoice where currency = 'GBP')
     returning serial_number as serial`,
  )
  const row = (await openOverview(page)).find(({ currency }) => currency === 'GBP')
  expect(row?.unexplained).toBe(toUnits('120'))
  const need = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first()
  await expect(need).toContainText(`${invoice?.serial} is 120.00 GBP above its lines`)
  await need.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(String(invoice?.serial))
  await expect(page.getByRole('region', { name: 'Tie-out', exact: true })).toContainText('+120.00 unexplained')
  await expectGoodLooks(page)
  await page.goto('/invoices?finding=total')
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
})

test('A10: the chart’s parts are each month’s net, the months are all lines, and a bar leads to its lines', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/?chart=EUR')
  const chart = page.getByRole('region', { name: 'EUR net by month of expense' })
  const months = await chart
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].map((cell) => (cell.querySelector('.sr-only') ?? cell).textContent),
      ),
    )
  let all = 0n
  for (const figures of months) {
    const [net = 0n, ...parts] = figures.map((figure) => (figure ? toUnits(figure) : 0n)).reverse()
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(net)
    all += net
  }
  const [stored] = await app.query(
    `select sum(total_amount)::text as total from line where currency = 'EUR' and missing_since is null`,
  )
  expect(all).toBe(toUnits(String(stored?.total)))
  const bar = chart.locator('.month-bars a').first()
  await bar.hover()
  const [, , amount = ''] = (await bar.getAttribute('title'))?.split(' · ') ?? []
  await bar.click()
  await expect(page).toHaveURL(/\/lines\?/)
  const { EUR } = await readTotalsStrip(page)
  expect(EUR?.total).toBe(toUnits(amount.replace('EUR ', '')))
})
