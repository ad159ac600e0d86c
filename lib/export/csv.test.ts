import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '#lib/ledger/test-support/seed.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { type CsvColumn, guardFormula, toCell, toHeader, toRow } from './csv.ts'
import { parseCsvStrictly } from './test-support/test-parse-csv.ts'

type Cells = { words: string | null; figure: DecimalText; more: string | null }
const COLUMNS: CsvColumn<Cells>[] = [
  { name: 'words', kind: 'text', field: 'words' },
  { name: 'figure', kind: 'amount', field: 'figure' },
  { name: 'more', kind: 'text', field: 'more' },
]

test('any text comes back unchanged, except for the guard’s apostrophe', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[=+\-@",;\t\r\n 'a]*$/))
  fc.assert(
    fc.property(
      fc.array(fc.record({ words: text, figure: fc.constantFrom(decimal('-48700'), decimal('0.00')), more: text })),
      (rows) => {
        const file = toHeader(COLUMNS) + rows.map((row) => toRow(COLUMNS, row)).join('')
        const expected = rows.map((row) => [guardFormula(row.words), row.figure, guardFormula(row.more)])
        expect(parseCsvStrictly(file)).toEqual([['words', 'figure', 'more'], ...expected])
      },
    ),
    { numRuns: 1000 },
  )
})

test.each([
  '=1+1',
  '+cmd|x',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\tx',
  '\rx',
  '\nx',
  '  =1',
  '\u00a0=1',
  '\u3000=1',
  '\ufeff=1',
  '\u200b=1',
  '\u0007=1',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20SUM',
])('A13: guards the text %j', (text) => {
  expect(guardFormula(text)).toBe(`'${text}`)
})

test.each(['', 'a=1', '1-2', "'=1", 'x@example.com', ' plain', 'é', '9007199254740993', '(=1)'])(
  'the text %j needs no guard',
  (text) => {
    expect(guardFormula(text)).toBe(text)
  },
)

test('a refund stays a number, an unknown is an empty cell', () => {
  expect(toRow(COLUMNS, { words: null, figure: decimal('-48700'), more: null })).toBe(',-48700,\r\n')
})

test('quotes only cells that a reader could split', () => {
  expect(['plain text', "it's", 'a,b', 'say "x"', 'a;b', 'a\tb', 'a\nb', 'a\rb'].map(toCell)).toEqual([
    'plain text',
    "it's",
    '"a,b"',
    '"say ""x"""',
    '"a;b"',
    '"a\tb"',
    '"a\nb"',
    '"a\rb"',
  ])
})
