import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUDIT_CSV_COLUMNS } from './audit-csv.ts'
import { CSV_FILES } from './stream-csv.ts'

/** The rows of the table under a heading, each column named in a row separately. */
function readDocumented(heading: string): { name: string; kind: string }[] {
  const text = readFileSync(new URL('../../docs/csv.md', import.meta.url), 'utf8')
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| (`[^|]+`) \| (\w+) \|/gm)].flatMap(([, names = '', kind = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, kind })),
  )
}

const FILES = { ...CSV_FILES, audit: { columns: AUDIT_CSV_COLUMNS.map(({ name, kind }) => ({ name, kind })) } }

test.each(Object.entries(FILES))(
  'docs/csv.md has the columns of the %s file, in order and with their kinds',
  (name, { columns }) => {
    expect(readDocumented(`Columns of the ${name} file`)).toEqual(columns)
  },
)
