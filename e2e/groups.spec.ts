import { downloadCsv, toUnits } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'

// one account, read once: each further one would add to the figures
test.describe.configure({ mode: 'serial' })

const MATRIX = '/groups?period=all&by=cost_center,vertical&across=month'

test('groups become a matrix and a table again by one choice each', async ({ page, readAccount }) => {
  await readAccount(page)
  await page.goto('/groups?period=all&by=cost_center')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Month of expense' }).click()
  await expect(page).toHaveURL(/across=month/)
  const matrix = page.getByRole('table', { name: /Cost center by Month of expense/ })
  await expect(matrix.getByRole('columnheader', { name: 'Total' })).toBeVisible()
  await expect(matrix.getByRole('row', { name: /4100 Sales DACH/ })).toBeVisible()
  await page.getByRole('button', { name: 'Columns: Month of expense' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(page).not.toHaveURL(/across=/)
  await expect(page.getByRole('treegrid', { name: 'Groups' })).toBeVisible()
})

test('each figure of a matrix leads to its lines, which add up to it', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto(MATRIX)
  const outer = page.getByRole('row', { name: /4100 Sales DACH/ })
  await outer.getByRole('link', { name: '4100 Sales DACH' }).click()
  await expect(outer.getByRole('link', { name: '4100 Sales DACH' })).toHaveAttribute('aria-expanded', 'true')
  const inner = page.getByRole('row', { name: /^flight/ })
  for (const row of [inner, outer, page.getByRole('row', { name: /^Total of/ })]) {
    const cell = row.locator('.figure a').first()
    const figure = (await cell.locator('.sr-only').or(cell).last().textContent())?.trim() ?? ''
    await cell.click()
    await expect(page).toHaveURL(/\/lines\?/)
    await expect(page.getByRole('region', { name: /totals/i })).toContainText(figure)
    await page.goBack()
    await expect(inner).toBeVisible()
  }
})

test('the file of a matrix is the screen, figure by figure', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto(`${MATRIX}&open=${encodeURIComponent('/"4100 Sales DACH"')}`)
  await expect(page.getByRole('row', { name: /^flight/ })).toBeVisible()
  const screen = await page.locator('.matrix-row').evaluateAll((rows) =>
    rows.map((row) => ({
      kind: row.matches('.is-total') ? 'total' : row.matches('.is-inner') ? 'inner group' : 'group',
      figures: [...row.querySelectorAll('.figure')].map(
        (cell) => (cell.querySelector('.sr-only') ?? cell).textContent?.replace(' %', '') ?? '',
      ),
    })),
  )
  const file = await downloadCsv(page)
  expect(file.map(({ row }) => row)).toEqual(screen.map(({ kind }) => kind))
  const names = Object.keys(file[0] ?? {}).filter((name) => /^month |^total$|^share_percent$/.test(name))
  const toUnitsOrNone = (text = '') => (text === '' ? null : toUnits(text))
  for (const [at, row] of file.entries())
    expect(names.map((name) => toUnitsOrNone(row[name]))).toEqual(screen[at]?.figures.map(toUnitsOrNone))
})

test('says that a line with two labels is in both groups and once in the total', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/groups?period=all&by=label')
  await expect(page.getByText('A line with several labels is in each of them, and once in the total.')).toBeVisible()
  await page.goto('/groups?period=all&by=vertical&across=label')
  await expect(page.getByText('A line with several labels is in each of them, and once in the total.')).toBeVisible()
})

test('any currency orders the groups, and shows in the matrix on its own', async ({ page, signIn }) => {
  await signIn(page)
  await page.goto('/groups?period=all&by=cost_center')
  const head = page.getByRole('columnheader', { name: 'GBP' })
  await head.getByRole('link').click()
  await expect(page).toHaveURL(/sort=-total_GBP/)
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await page.goto(MATRIX)
  await page.getByRole('region', { name: 'Currencies' }).getByRole('link', { name: /GBP/ }).click()
  await expect(page).toHaveURL(/in=GBP/)
  await expect(page.getByRole('table', { name: /GBP/ })).toBeVisible()
})

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`a matrix is accessible and scrolls in its own box at ${width} px`, async ({ page, signIn }) => {
    await signIn(page)
    await page.setViewportSize({ width, height })
    await page.goto(`${MATRIX}&against=before`)
    await expect(page.locator('.matrix-row').first()).toBeVisible()
    await expectAccessible(page, `matrix at ${width} px`)
    await expectContrast(page, `matrix at ${width} px`)
  })
