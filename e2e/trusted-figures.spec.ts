import type { Page } from '@playwright/test'
import { toUnits } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { openPlainly, readTotalsStrip } from './screen.ts'
import { openConnection, panel } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

/**
 * A line of the list as it is read aloud: its currency, its total, and the largest that fails in
 * it.
 */
async function readRows(page: Page): Promise<{ state: string; currency: string; total: bigint; difference: bigint }[]> {
  await page.locator('tr[data-row]').first().waitFor()
  const rows = await page.locator('tr[data-row]').evaluateAll((all) =>
    all.map((row) => {
      const total = row.querySelector(':scope > .col-total_amount')
      return {
        total: (total?.querySelector('.sr-only') ?? total)?.textContent ?? '',
        currency: row.querySelector(':scope > .col-currency')?.textContent ?? '',
        state: row.querySelector('.mark')?.classList[1] ?? 'no mark',
        differences: [...row.querySelectorAll('.tag')].map((tag) => tag.getAttribute('title') ?? ''),
      }
    }),
  )
  return rows.map(({ state, total, currency, differences }) => {
    const sizes = differences.flatMap((text) => /^[+−-]([\d,.]+) /.exec(text)?.slice(1) ?? []).map(toUnits)
    return {
      state,
      currency,
      total: toUnits(total.replace('−', '-')),
      difference: sizes.sort((a, b) => Number(b - a))[0] ?? 0n,
    }
  })
}

/** Whether each currency stands together, and its figures fall. */
function expectFalling(rows: { currency: string; figure: bigint }[]): void {
  const currencies = rows.map(({ currency }) => currency)
  expect(currencies).toEqual([...currencies].sort())
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1]
    if (before?.currency === row.currency) expect(before.figure, `row ${at}`).toBeGreaterThanOrEqual(row.figure)
  }
}

test.describe('what the server says, without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('amounts sort within a currency, and the worst and largest difference comes first, of total or tax and of either sign', async ({
    page,
    readAccount,
  }) => {
    await readAccount(page)
    await page.goto('/lines?sort=-total_amount&size=200')
    expectFalling((await readRows(page)).map(({ currency, total }) => ({ currency, figure: total })))
    await page.goto('/lines?sort=-difference&size=200&findings=1')
    const flagged = await readRows(page)
    expect(new Set(flagged.map(({ currency }) => currency)).size).toBeGreaterThan(2)
    // unexplained lines of all currencies, then explained ones, then notes
    const states = ['mark-failed', 'mark-partial', 'mark-open']
    expect(flagged.map(({ state }) => state)).toEqual(
      states.flatMap((state) => flagged.flatMap((row) => (row.state === state ? state : []))),
    )
    for (const state of states)
      expectFalling(
        flagged.flatMap((row) => (row.state === state ? { currency: row.currency, figure: row.difference } : [])),
      )
    await page.goto('/lines?sort=-difference&size=200&currency=EUR')
    const ofEuro = await readRows(page)
    const clean = ofEuro.findIndex(({ difference }) => difference === 0n)
    expect(clean).toBe(flagged.filter(({ currency }) => currency === 'EUR').length)
    expect(
      ofEuro.slice(clean).every(({ difference }) => difference === 0n),
      'clean lines come last',
    ).toBe(true)
  })

  test('what needs attention says overcharged and undercharged apart, and counts a line with two findings once', async ({
    page,
    app,
    signIn,
  }) => {
    await signIn(page)
    await page.goto('/')
    const [stored] = await app.query(
      `select count(*)::int as lines, count(*) filter (where cardinality(finding_codes) = 2)::int as twice,
       sum(difference + tax_difference) filter (where currency = 'EUR' and difference + tax_difference > 0)::text as over,
       (-sum(difference + tax_difference) filter (where currency = 'GBP' and difference + tax_difference < 0))::text as under
     from line where missing_since is null and line_state(finding_codes, explained_codes, reason_codes, difference, tax_difference, currency) = 'unexplained'`,
    )
    expect(stored?.twice).toBeGreaterThan(0)
    const need = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
    const ofLines = need.filter({ hasText: `${stored?.lines} lines with unexplained differences` })
    await expect(ofLines).toHaveCount(1)
    const [over = '', under = ''] = ((await ofLines.textContent()) ?? '').split('undercharged')
    const spoken = async (name: string) => {
      const texts = await ofLines.locator('.sr-only').allTextContents()
      return texts.map(toUnits).includes(toUnits(name)) || `${over}${under}`.replaceAll(',', '').includes(name)
    }
    expect(over).toContain('overcharged')
    expect(await spoken(String(stored?.over)), `EUR ${stored?.over} overcharged`).toBe(true)
    expect(await spoken(String(stored?.under)), `GBP ${stored?.under} undercharged`).toBe(true)
  })

  test('a total with eight decimals is shown in its currency’s, marked, and whole on hover and when read aloud', async ({
    page,
    app,
    signIn,
  }) => {
    await signIn(page)
    await page.goto('/lines')
    const [stored] = await app.query(
      `select sum(total_amount)::text as total from line where currency = 'EUR' and missing_since is null`,
    )
    expect(stored?.total).toMatch(/\.\d{8}$/)
    expect((await readTotalsStrip(page)).EUR?.total).toBe(toUnits(String(stored?.total)))
    const marked = page.getByRole('region', { name: /total/i }).locator('.short-amount').first()
    await expect(marked.locator('[aria-hidden]')).toHaveText(/^[\d,]+\.\d\d$/)
    expect((await marked.getAttribute('title'))?.replaceAll(',', '')).toBe(`${stored?.total} EUR`)
  })
})

test('while the platform fails, overview, sidebar, connections and the account’s page all say so, and none that it is syncing', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const { faults } = app.sandbox.state()
  faults.add({
    match: { path: '/api/v1/invoices' },
    times: 0,
    // an hour: nobody tries again while the pages are read
    action: { type: 'status', status: 503, headers: { 'retry-after': '3600' }, body: 'Back soon', when: 'before' },
  })
  await openConnection(page)
  await panel(page).getByRole('button', { name: 'Sync now' }).click()
  await expect(panel(page)).toContainText('is waiting until', { timeout: 60_000 })
  const plain = await openPlainly(page)
  await plain.goto('/')
  const sidebar = plain.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Connections' })
  await expect(sidebar.getByTitle('1 connections need attention')).toBeVisible()
  await expect(
    plain.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: 'Nordlicht' }),
  ).toHaveCount(1)
  await expect(plain.getByRole('main')).not.toContainText('syncing now')
  await plain.goto('/connections')
  await expect(plain.getByRole('main')).toContainText('1 needs attention')
  await expect(plain.getByRole('main')).not.toContainText('syncing now')
  await plain.context().close()
  faults.clear()
})
