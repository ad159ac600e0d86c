import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** `:nth-child(n)` is any child, and odd and even ones are tiles. */
const BY_NUMBER = /:nth-(?:last-)?(?:child|of-type)\((?!n\)|odd\)|even\))/g
/** In a story also the n-th cell of a row. */
const NTH_CELL =
  /(?:locator\(['"`][^'"`]*\bt[dh]['"`]\)|getByRole\(['"](?:grid)?cell['"]\)|columnheader['"]\))\s*\.nth\(|\.cells\[\d/g

const read = (folder: string, ending: string) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name, text: readFileSync(new URL(`${folder}/${name}`, import.meta.url), 'utf8') }))

test('no style sheet knows a column by its number', () => {
  const sheets = read('.', '.css')
  expect(sheets.length).toBeGreaterThan(1)
  expect(
    sheets.flatMap(({ name, text }) => [...text.matchAll(BY_NUMBER)].map(([found]) => `${name}: ${found}`)),
  ).toEqual([])
})

test('no story knows a column by its number', () => {
  const stories = read('../e2e', '.ts')
  expect(stories.length).toBeGreaterThan(30)
  const found = stories.flatMap(({ name, text }) =>
    [...text.matchAll(BY_NUMBER), ...text.matchAll(NTH_CELL)].map(([found]) => `${name}: ${found}`),
  )
  expect(found).toEqual([])
})

test('what is looked for is found', () => {
  expect('td:nth-child(10), th:nth-child(n + 3)'.match(BY_NUMBER)).toHaveLength(2)
  expect("row.locator('td').nth(11)".match(NTH_CELL)).toHaveLength(1)
})
