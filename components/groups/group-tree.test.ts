import { expect, test } from 'vitest'
import type { GroupRow, LineRow } from '#lib/ledger/model.ts'
import { DEFAULT_GROUP_QUERY } from '#lib/ledger/query/group-query.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { type Branches, flattenTree, toGroupId } from './group-tree.ts'
import { toBranchQuery } from './read-branch.ts'

const query = { ...DEFAULT_GROUP_QUERY, by: ['trip', 'vertical'] as GroupKey[], currencies: ['EUR'] }
const group = (key: GroupKey, value: string | null): GroupRow => ({
  values: [{ key, value, label: null }],
  lineCount: 2,
  findingCount: 0,
  totals: [],
  lineStates: {},
})
const trips = [group('trip', '10223'), group('trip', null)]
const line = { connectionId: 'c', id: 'l1' } as LineRow

test('shows the contents of open groups, level by level', () => {
  const trip = toGroupId(null, '10223')
  const hotel = toGroupId(trip, 'hotel')
  const branches: Branches = new Map([
    [trip, { status: 'groups', rows: [group('vertical', 'hotel')], page: 1, more: 3 }],
    [hotel, { status: 'lines', rows: [line], page: 1, more: 0 }],
  ])
  const shown = (open: string[]) => flattenTree(trips, new Set(open), branches).map((row) => `${row.level} ${row.kind}`)
  expect(shown([])).toEqual(['1 group', '1 group'])
  expect(shown([trip])).toEqual(['1 group', '2 group', '2 more', '1 group'])
  expect(shown([trip, hotel])).toEqual(['1 group', '2 group', '3 line', '2 more', '1 group'])
})

test('an open group is loading until its content is here, and says so once that is late', () => {
  const trip = toGroupId(null, '10223')
  const show = (open: string[], branches: Branches) => {
    const [row] = flattenTree(trips, new Set(open), branches)
    return row?.kind === 'group' && [row.isLoading, row.isLate]
  }
  expect(show([], new Map())).toEqual([false, false])
  expect(show([trip], new Map())).toEqual([true, false])
  expect(show([trip], new Map([[trip, { status: 'loading', isLate: false }]]))).toEqual([true, false])
  expect(show([trip], new Map([[trip, { status: 'loading', isLate: true }]]))).toEqual([true, true])
  expect(show([], new Map([[trip, { status: 'loading', isLate: true }]]))).toEqual([false, false])
  expect(show([trip], new Map([[trip, { status: 'lines', rows: [], page: 1, more: 0 }]]))).toEqual([false, false])
})

test('keeps apart the unknown group, a group named null and an empty text', () => {
  expect(new Set([toGroupId(null, null), toGroupId(null, 'null'), toGroupId(null, '')]).size).toBe(3)
})

test('loads further groups while keys are left, then lines, with the filters of the page', () => {
  const trip = group('trip', '10223')
  expect(toBranchQuery(query, [trip], 1)).toMatchObject({
    kind: 'groups',
    query: { by: ['vertical'], trips: ['10223'], currencies: ['EUR'] },
  })
  expect(toBranchQuery(query, [trip, group('vertical', null)], 2)).toMatchObject({
    kind: 'lines',
    query: { trips: ['10223'], verticals: [''], currencies: ['EUR'], page: 2 },
  })
})
