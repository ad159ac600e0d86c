import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LINE_COLUMNS } from './line-columns.ts'

/** The rows of the table under a heading, each column that a row names on its own. */
function readDocumented(heading: string): { name: string; kind: string }[] {
  const text = readFileSync(new URL('../../docs/csv.md', import.meta.url), 'utf8')
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| (`[^|]+`) \| (\w+) \|/gm)].flatMap(([, names = '', kind = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, kind })),
  )
}

test('docs/csv.md has the columns of the lines file, in their order and with their kinds', () => {
  expect(readDocumented('Columns of the lines file')).toEqual(LINE_COLUMNS.map(({ name, kind }) => ({ name, kind })))
})
