import { createColumnHelper } from '@tanstack/react-table'
import { expect, test } from 'vitest'
import { toTabText } from './tab-text.ts'
import type { Columns, Features } from './table-features.ts'

type Row = { text: string | null; amount: string }

const helper = createColumnHelper<Features, Row>()
const COLUMNS: Columns<Row> = helper.columns([
  helper.display({ id: 'mark', header: 'Mark', meta: { isFixed: true } }),
  helper.accessor('text', { id: 'text', header: 'Description' }),
  helper.accessor('amount', { id: 'amount', header: 'Total', meta: { kind: 'figure' } }),
])

test('rows are copied with the shown columns in their order, figures as they are stored', () => {
  const rows = [
    { text: 'Hotel Lehel', amount: '-1234.50' },
    { text: null, amount: '0.10' },
  ]
  expect(toTabText(COLUMNS, [], rows)).toBe('Description\tTotal\nHotel Lehel\t-1234.50\n\t0.10\n')
  const turned = [
    { name: 'amount', isPinned: false, width: null },
    { name: 'text', isPinned: false, width: null },
  ]
  expect(toTabText(COLUMNS, turned, rows)).toBe('Total\tDescription\n-1234.50\tHotel Lehel\n0.10\t\n')
})

test('copied figures have the person’s own decimal sign, and no groups', () => {
  const rows = [{ text: '1.5', amount: '-1234567.50' }]
  expect(toTabText(COLUMNS, [], rows, ',')).toBe('Description\tTotal\n1.5\t-1234567,50\n')
})

test('a copied text starts no formula and no other cell', () => {
  const texts = ['=1+1', '\u200b@SUM(A1)', '-5', 'a\tb\r\nc'].map((text) => ({ text, amount: '1' }))
  expect(toTabText(COLUMNS, [{ name: 'text', isPinned: false, width: null }], texts)).toBe(
    "Description\n'=1+1\n'\u200b@SUM(A1)\n'-5\na b c\n",
  )
})
