import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LISTS } from '#components/query/lists.ts'
import { CSV_FILES } from '#lib/export/stream-csv.ts'

test('each list has its page in the folder of the lists, and that folder has no others', () => {
  const entries = readdirSync(new URL('./(desk)/(lists)', import.meta.url), { withFileTypes: true })
  const pages = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(pages.toSorted()).toEqual(Object.keys(LISTS).toSorted())
})

test('each file of a list belongs to one that has a page', () => {
  // a matrix is another file of the groups, and months are no list
  const lists = Object.keys(CSV_FILES).filter((file) => file !== 'matrix' && file !== 'close')
  expect(Object.keys(LISTS)).toEqual(expect.arrayContaining(lists))
})

test('no style looks into elements for what rows may have', () => {
  // a browser would ask again, up to the page itself, for each such row that comes
  const asked = readdirSync(new URL('.', import.meta.url))
    .filter((name) => name.endsWith('.css'))
    .flatMap((name) => [...readFileSync(new URL(name, import.meta.url), 'utf8').matchAll(/:has\(([^)]*)\)/g)])
  // a page that came late is asked for only where no script runs, so no row comes later
  const withoutScripts = ['> [id^="S:"] > header', '> header']
  expect(asked.map(([, what]) => what).sort()).toEqual([
    ...withoutScripts,
    '[data-says-links]',
    'dialog:modal',
    'input',
  ])
})
