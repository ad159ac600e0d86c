import { expect, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'

/** The text under each mark of a search, and how many elements mark one. */
const readMarks = () => {
  const ranges = [...(CSS.highlights.get('search-hit') ?? [])] as Range[]
  return {
    texts: [...new Set(ranges.map((range) => range.toString().toLowerCase()))].sort(),
    elements: document.querySelectorAll('tbody mark').length,
  }
}

test('a search takes words in any order and a range, and marks what it found without a new element', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const [line] = await app.query(
    `select id, trip_name as trip, round(abs(total_amount)) as size, currency from line
     where trip_name ~ '^[A-Za-z]{4,} .*[A-Za-z]{4,}$' and missing_since is null order by id limit 1`,
  )
  const words = String(line?.trip).split(' ')
  const [first, last] = [words[0] as string, words.at(-1) as string]
  await page.goto('/lines?period=all')
  const box = page.getByRole('textbox', { name: /^Search/ })
  await box.fill(`${last} ${first.slice(0, 3).toUpperCase()} ${line?.currency}`)
  const rows = page.locator('tbody tr[data-row]')
  await expect(page).toHaveURL(/q=/)
  await expect(rows.first()).toContainText(last)
  await expect.poll(async () => (await page.evaluate(readMarks)).texts).toContain(last.toLowerCase())
  const marks = await page.evaluate(readMarks)
  expect(marks.texts).toContain(first.slice(0, 3).toLowerCase())
  expect(marks.elements).toBe(0)
  await expectAccessible(page, 'lines with marks')

  const size = Number(line?.size)
  await box.fill(`>${size - 1} <${size + 1} ${first}`)
  await expect(rows.filter({ hasText: first }).first()).toBeVisible()
  await box.fill('')
  await expect(page).not.toHaveURL(/q=/)
  expect((await page.evaluate(readMarks)).texts).toEqual([])
})

test('what is typed into the menu of filters finds vendors and travelers, and lists their lines', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const [line] = await app.query(
    `select vendor_name as vendor, traveler_names[1] as traveler from line
     where vendor_name ~ '^[A-Za-z ]{6,}$' and traveler_names[1] ~ '^[A-Za-z ]{6,}$' and missing_since is null order by id limit 1`,
  )
  await page.goto('/lines?period=all')
  for (const [label, name] of [
    ['Vendor', String(line?.vendor)],
    ['Traveler', String(line?.traveler)],
  ] as const) {
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('combobox', { name: 'Add filter' }).fill(name.slice(0, -1).toLowerCase())
    await page.getByRole('option', { name: new RegExp(`^${name} ?${label}$`) }).click()
    await expect(page.getByRole('button', { name: `Filter ${label} ${name}` })).toBeVisible()
  }
  const [counted] = await app.query(
    `select count(*)::int as count from line where missing_since is null and vendor_name = '${line?.vendor}' and '${line?.traveler}' = any(traveler_names)`,
  )
  await expect(page.getByRole('main').locator('header')).toContainText(`${counted?.count} of `)
})

test('names that look alike say in options and chips how they differ', async ({ page, app, readAccount }) => {
  await readAccount(page)
  await app.query(
    `update line set cost_center = case when id < 'm' and right(id, 1) < '8' then 'R\u00e9gion Ouest' else 'Re\u0301gion Ouest\u00a0' end
     where cost_center is not null`,
  )
  await page.goto('/lines?period=all')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('option', { name: 'Cost center' }).click()
  const odd = page.getByRole('option', { name: /with a trailing no-break blank, written with combining accents/ })
  await expect(odd).toBeVisible()
  await odd.click()
  await expect(page.getByRole('button', { name: /^Filter Cost center .*with a trailing no-break blank/ })).toBeVisible()
  // the chip stands before the list has come
  await expect(page).toHaveURL(/[?&]cost_?center=/i)
  await expectAccessible(page, 'names that look alike')
})
