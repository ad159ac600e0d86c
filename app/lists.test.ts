import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LISTS } from '#components/query/lists.ts'
import { CSV_FILES } from '#lib/export/stream-csv.ts'

test('each list has its page in the folder of the lists, and that folder has no others', () => {
  const entries = readdirSync(new URL('./(desk)/(lists)', import.meta.url), { withFileTypes: true })
  const pages = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(pages.toSorted()).toEqual(Object.keys(LISTS).toSorted())
})

test('each file belongs to a list that has a page', () => {
  expect(Object.keys(LISTS)).toEqual(expect.arrayContaining(Object.keys(CSV_FILES)))
})
