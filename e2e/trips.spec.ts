import { expect, test } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'

test('a trip’s page says what it cost after refunds, by traveler and document, and lists its lines', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const [trip] = await app.query(
    `select trip_id as id, max(trip_name) as name, count(*)::int as lines from line
     where missing_since is null and trip_id is not null and total_amount < 0 group by 1 order by 3 desc, 1 limit 1`,
  )
  const [net] = await app.query(
    `select currency, count(*)::int as lines, sum(total_amount)::float as net from line
     where missing_since is null and trip_id = '${trip?.id}' group by 1 order by 2 desc limit 1`,
  )
  await page.goto(`/groups?by=trip&trip=${trip?.id}`)
  const verb = page.getByRole('menuitem', { name: 'Open the trip' })
  // before its script runs, a page has no keys
  await expect(async () => {
    await page.getByRole('row', { name: new RegExp(`${trip?.id}`) }).press('Shift+F10')
    await expect(verb).toBeVisible({ timeout: 2000 })
  }).toPass()
  await verb.click()
  await expect(page).toHaveURL(new RegExp(`/trips/${trip?.id}$`))
  const cost = page.getByRole('table', { name: 'What it cost' })
  const figures = await cost.locator('tbody tr').evaluateAll((rows, currency) => {
    const head = [...(rows[0]?.closest('table')?.querySelectorAll('thead th') ?? [])].map((cell) => cell.textContent)
    const at = head.indexOf(currency)
    return rows.map((row) => Number((row.children[at]?.textContent ?? '').replaceAll(',', '').replace('\u2212', '-')))
  }, String(net?.currency))
  expect(figures.reduce((sum, each) => sum + each, 0)).toBeCloseTo(Number(net?.net), 2)
  expect(figures.some((each) => each < 0)).toBe(true)
  await expect(cost.getByRole('row', { name: /^After refunds/ })).toBeVisible()
  await expectAccessible(page, 'a trip')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectContrast(page, 'a trip in the dark')
  const lines = page.getByRole('grid', { name: 'Lines' })
  await expect(lines).toBeVisible()
  await page.getByRole('table', { name: 'Documents' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/invoices\/[^/]+\/[^/]+$/)
  await page.goBack()
  await page.getByRole('table', { name: 'By traveler' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/lines\?.*traveler=/)
})

test('a trip that no line names is missing', async ({ page, signIn }) => {
  await signIn(page)
  const answer = await page.goto('/trips/none')
  expect(answer?.status()).toBe(404)
})
