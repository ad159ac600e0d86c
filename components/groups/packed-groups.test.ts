import { expect, test } from 'vitest'
import type { GroupList } from '#lib/ledger/model.ts'
import { decimal } from '#lib/ledger/test-support/seed.ts'
import { packGroups, unpackGroups } from './packed-groups.ts'

const LIST: GroupList = {
  rows: [
    {
      values: [{ key: 'trip', value: '7', label: 'Lisbon' }],
      lineCount: 3,
      findingCount: 1,
      totals: [
        { currency: 'EUR', totalAmount: decimal('1.50'), lineCount: 2 },
        { currency: 'JPY', totalAmount: decimal('300'), lineCount: 1 },
      ],
      lineStates: { unexplained: 0, explained: 1, note: 0 },
    },
    {
      values: [{ key: 'trip', value: null, label: null }],
      lineCount: 3,
      findingCount: 0,
      totals: [],
      lineStates: { unexplained: 0, explained: 0, note: 0 },
    },
  ],
  groupCount: 2,
  lineCount: 6,
  allLineCount: 6,
  totals: [],
  page: 1,
  pageCount: 1,
}

test('unpacks the groups that were packed, also after a way as JSON', () => {
  expect(unpackGroups(JSON.parse(JSON.stringify(packGroups(LIST, 'trip'))))).toEqual(LIST)
})
