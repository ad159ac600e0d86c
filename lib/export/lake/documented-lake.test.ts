import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LAKE_TABLES } from './lake-columns.ts'

const TEXT = readFileSync(new URL('../../../docs/lake.md', import.meta.url), 'utf8')

test('docs/lake.md names every column of findings and reviews', () => {
  for (const kind of ['findings', 'reviews'] as const)
    for (const { name } of LAKE_TABLES[kind].columns) expect(TEXT, kind).toContain(`\`${name}\``)
})

test('no two columns of a table have one name', () => {
  for (const { columns } of Object.values(LAKE_TABLES))
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
})
