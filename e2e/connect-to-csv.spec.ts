import { downloadCsv, sumByCurrency, toUnits } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { readGroups, readTotalsStrip } from './screen.ts'

test.describe.configure({ mode: 'serial' })

type Key = 'trip' | 'cost_center' | 'vertical'
const WIRE_NAME = { trip: 'trip_id', cost_center: 'cost_center', vertical: 'related_vertical' } as const
const UNKNOWN = { trip: 'No trip', cost_center: 'No cost center', vertical: 'Unknown vertical' } as const

test('connects an account in one click, and the admin sees its lines arrive', async ({ page, app, signIn }) => {
  // slow enough to see the count move: pages are requested ahead and committed once a second
  app.sandbox
    .state()
    .faults.add({ match: { path: '/api/v1/invoices/lines' }, times: 0, action: { type: 'delay', ms: 1500 } })
  await signIn(page)
  await page.goto('/')
  await page.getByRole('link', { name: 'Connections', exact: true }).click()
  await page.getByRole('button', { name: 'Connect account', exact: true }).first().click()
  await expect(page).toHaveURL(new RegExp(`^${app.sandbox.authUrl}/oauth2/authorize`))
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page).toHaveURL(/\/connections/)
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', /Lines \d+ of 4\d\d/i)
  app.sandbox.state().faults.clear()
  const totals = await app.sandbox.controlTotals('nordlicht')
  const account = page.getByRole('row').filter({ hasText: 'Nordlicht' })
  await expect(account).toContainText(String(totals.lineCount), { timeout: 60_000 })
  await expect(account).toContainText(/just now|seconds? ago/)
  await expect(page.getByRole('button', { name: 'Sync now', exact: true })).toBeVisible()
  await expect(account.getByRole('link', { name: '2 not imported' })).toBeVisible()
})

test.describe('what the server says, without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test("groups by trip, by cost center and by vertical show exactly the platform's control totals", async ({
    page,
    app,
    signIn,
  }) => {
    await signIn(page)
    for (const key of ['trip', 'cost_center', 'vertical'] as Key[]) {
      const shown = await readGroups(page, `/groups?by=${key}&size=50`)
      const expected = await app.sandbox.groupTotals('nordlicht', [key])
      const names = [...new Set(expected.map(({ key: values }) => values[WIRE_NAME[key]] ?? null))]
      expect(shown).toHaveLength(names.length)
      for (const name of names) {
        const group = shown.find((row) =>
          name === null ? row.name === UNKNOWN[key] : (row.id ?? row.name) === name.trim(),
        )
        const own = expected.filter(({ key: values }) => (values[WIRE_NAME[key]] ?? null) === name)
        expect(group, String(name)).toMatchObject({
          amounts: Object.fromEntries(own.map((total) => [total.currency, toUnits(total.totalAmount)])),
          lines: own.reduce((sum, total) => sum + total.lineCount, 0),
          findings: own.reduce((sum, total) => sum + total.findingCount, 0),
        })
      }
    }
  })

  test('flags the planted faults with the right difference, and nothing else', async ({ page, app, signIn }) => {
    await signIn(page)
    await page.goto('/lines?findings=1&size=200')
    const truth = app.sandbox.groundTruth('nordlicht').findings
    await expect(page.locator('table[aria-label="Lines"] tbody tr[data-row]')).toHaveCount(truth.length)
    const rows = await downloadCsv(page)
    const found = rows.map((row) => ({
      lineId: row.id,
      codes: row.finding_codes,
      total: row.expected_total_amount,
      difference: toUnits(row.difference as string),
      tax: toUnits(row.tax_difference as string),
    }))
    const planted = truth.map((line) => ({
      lineId: line.lineId,
      codes: line.codes.join(' '),
      total: line.expectedTotal,
      difference: toUnits(line.difference),
      tax: toUnits(line.taxDifference),
    }))
    const byId = (a: { lineId?: string | null }, b: { lineId?: string | null }) =>
      String(a.lineId).localeCompare(String(b.lineId))
    expect(found.sort(byId)).toEqual(planted.sort(byId))
  })

  test('the CSV of lines adds up to the screen per currency', async ({ page, app, signIn }) => {
    await signIn(page)
    await page.goto('/lines')
    const strip = await readTotalsStrip(page)
    const rows = await downloadCsv(page)
    const { currencies, lineCount } = await app.sandbox.controlTotals('nordlicht')
    expect(rows).toHaveLength(lineCount)
    const sums = sumByCurrency(rows, 'total_amount')
    expect(sums).toEqual(Object.fromEntries(Object.entries(strip).map(([currency, { total }]) => [currency, total])))
    expect(sums).toEqual(Object.fromEntries(currencies.map((total) => [total.currency, toUnits(total.totalAmount)])))
  })

  test('the CSV of nested groups equals the control totals row by row', async ({ page, app, signIn }) => {
    await signIn(page)
    await page.goto('/groups?by=trip,cost_center,vertical')
    const rows = await downloadCsv(page)
    const expected = await app.sandbox.groupTotals('nordlicht', ['trip', 'cost_center', 'vertical'])
    const unguarded = (cell = '') => cell.replace(/^'(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/, '')
    const shape = (
      parts: (string | null | undefined)[],
      total: string,
      lines: string | number,
      findings: string | number,
    ) => [...parts.map((part) => part ?? ''), toUnits(total), Number(lines), Number(findings)].join('|')
    expect(
      rows
        .map((row) =>
          shape(
            [unguarded(row.trip_id), unguarded(row.cost_center), unguarded(row.related_vertical), row.currency],
            row.total_amount as string,
            row.line_count as string,
            row.finding_count as string,
          ),
        )
        .sort(),
    ).toEqual(
      expected
        .map(({ key, ...total }) =>
          shape(
            [key.trip_id, key.cost_center, key.related_vertical, total.currency],
            total.totalAmount,
            total.lineCount,
            total.findingCount,
          ),
        )
        .sort(),
    )
  })
})

test('opens nested groups and their lines in place', async ({ page, app, signIn }) => {
  await signIn(page)
  await page.goto('/groups?by=cost_center,vertical')
  const group = page.getByRole('row', { name: /4100 Sales DACH/ })
  // its figures lead to lines
  await group.locator('bdi').first().click()
  await expect(group).toHaveAttribute('aria-expanded', 'true')
  const inner = page.locator('tr[aria-level="2"]', { hasText: 'flight' })
  await inner.locator('bdi').first().click()
  const lines = page.locator('tr[aria-level="3"]')
  const totals = await app.sandbox.groupTotals('nordlicht', ['cost_center', 'vertical'])
  const own = totals.filter(({ key }) => key.cost_center === '4100 Sales DACH' && key.related_vertical === 'flight')
  await expect(lines).toHaveCount(own.reduce((sum, total) => sum + total.lineCount, 0))
  await lines.first().click()
  await expect(page.getByRole('complementary', { name: 'Line' })).toContainText('expected')
})

test("opens a line's equation with expected, stated and difference", async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/lines?findings=1&q=314.80')
  await page.locator('table[aria-label="Lines"] tbody tr[data-row]').first().click()
  const panel = page.getByRole('complementary', { name: 'Line' })
  await expect(panel).toContainText('314.79')
  await expect(panel).toContainText('314.80')
  await expect(panel).toContainText('+0.01')
})

test('a second sync changes nothing, and rejected records stay on screen with their raw text; F23: reads them again on a click, and the page shows the progress and result', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/connections')
  await page.getByRole('button', { name: 'Sync now', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Nordlicht' })).not.toContainText(
    /lines and .* invoices|changed|Syncing/,
    {
      timeout: 60_000,
    },
  )
  const [run] = await app.query(
    'select inserted, updated, unchanged, duplicate from sync_run order by requested_at desc limit 1',
  )
  expect(run).toMatchObject({ inserted: 0, updated: 0, duplicate: 0 })
  await app.killWorker()
  await page.goto('/rejected')
  for (const { text } of app.sandbox.groundTruth('nordlicht').rejected)
    await expect(page.getByRole('main')).toContainText(text)

  const panel = page.getByRole('region', { name: 'Try import again' })
  await expect(panel).toContainText('2 records not imported')
  await panel.getByRole('button', { name: /^Try import again: Nordlicht/ }).click()
  await expect(page).toHaveURL(/\/rejected$/)
  await expect(panel).toContainText('Import under way')
  await expect(panel.getByRole('button')).toBeDisabled()
  app.startWorker()
  await expect(panel).toContainText(/Import tried again .* by .*: none of them can be imported yet/, {
    timeout: 60_000,
  })
  await expect(panel.getByRole('button')).toBeEnabled()
})
