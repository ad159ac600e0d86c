import { type Period, parsePeriod } from '#lib/reconcile/period.ts'
import { expect, signInByForm, test } from './fixtures.ts'
import { openPeriods, readTotalsStrip } from './screen.ts'
import { expectGoodLooks } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

test('after signing in one is in this quarter, and the sidebar keeps the period from page to page', async ({
  page,
  app,
  connectAccount,
}) => {
  await signInByForm(page, app)
  const quarter = /period=\d{4}-Q[1-4]$/
  await expect(page).toHaveURL(quarter)
  const [, now = ''] = page.url().split('?')
  const quarterNow = new RegExp(`${now}$`)
  await connectAccount(page)
  const countDone = async () => (await app.query(`select from sync_run where status = 'succeeded'`)).length
  await expect.poll(countDone, { timeout: 60_000 }).toBeGreaterThan(0)
  // from a page without a period one comes back to this quarter
  const main = page.getByRole('navigation', { name: 'Main' })
  const periods = page.getByRole('navigation', { name: 'Period of issue' })
  await main.getByRole('link', { name: 'Lines' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lines')
  await expect(page).toHaveURL(quarter)
  await expect(periods.getByRole('button')).toHaveText(/^Q[1-4] \d{4}$/)
  await expect(page.getByText(/, issued \w+ 1 to /)).toBeVisible()

  // the quarter before, and with it to another page and back
  await periods.getByRole('link').first().click()
  await expect(page).not.toHaveURL(quarterNow)
  await expect(page).toHaveURL(quarter)
  const { from, to } = parsePeriod(new URL(page.url()).searchParams.get('period') ?? '') as Period
  const sums = await app.query(
    `select currency, sum(total_amount)::text as sum, count(*)::int as count from line
     where missing_since is null and issuing_date between '${from}' and '${to}' group by 1 order by 1`,
  )
  const strip = await readTotalsStrip(page)
  expect(Object.keys(strip).sort()).toEqual(sums.map(({ currency }) => currency))
  const chosen = (await periods.getByRole('button').textContent()) ?? ''
  for (const name of ['Invoices', 'Groups', 'Overview', 'Lines']) {
    await main.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(periods.getByRole('button')).toHaveText(chosen)
  }
  expect(await readTotalsStrip(page)).toEqual(strip)
  await expectGoodLooks(page)
})

test('all time is chosen by keyboard, stays from page to page, and days of expense are no period of issue', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/invoices?period=2026-Q3')
  const periods = page.getByRole('navigation', { name: 'Period of issue' })
  await expect(periods.getByRole('button')).toHaveText('Q3 2026')
  await openPeriods(page)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(periods.getByRole('button')).toHaveText('All time')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Lines' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lines')
  await expect(periods.getByRole('button')).toHaveText('All time')
  await page.goto('/lines?from=2026-10-01&to=2026-12-31')
  const ofExpense = page.getByRole('navigation', { name: 'Period of expense' })
  await expect(ofExpense.getByRole('button')).toHaveText('Q4 2026')
})

test('a fiscal year that begins in April is offered everywhere, and its address tells it', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/checks')
  const fiscal = page.getByRole('region', { name: 'Fiscal year' })
  await fiscal.getByLabel('It begins in').selectOption('April')
  await fiscal.getByRole('button', { name: 'Save' }).click()
  await expect(fiscal.getByLabel('It begins in')).toHaveValue('4')
  await page.goto('/')
  await openPeriods(page)
  await page.getByRole('menuitem', { name: /^This · FY/ }).click()
  await expect(page).toHaveURL(/period=FY\d{4}-04/)
  await expect(page.getByText(/Invoices and lines issued Apr 1, /)).toBeVisible()
})
