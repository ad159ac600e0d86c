import { createColumnHelper } from '@tanstack/react-table'
import { expect, test } from 'vitest'
import type { Columns, Features } from '#components/table/table-features.ts'
import { toChosenColumns, toColumnState } from './column-state.ts'

type Row = { name: string }
const helper = createColumnHelper<Features, Row>()
const COLUMNS: Columns<Row> = helper.columns([
  helper.display({ id: 'mark', meta: { isFixed: true } }),
  helper.accessor('name', { id: 'name', enableHiding: false }),
  helper.accessor('name', { id: 'total' }),
  helper.accessor('name', { id: 'reason', meta: { isFurther: true } }),
])
const chosen = (name: string, isPinned = false, width: number | null = null) => ({ name, isPinned, width })

test('without a choice a list has its own columns, and an address says none', () => {
  const state = toColumnState(COLUMNS, [])
  expect(state.columnOrder).toEqual(['mark', 'name', 'total'])
  expect(state.columnVisibility).toMatchObject({ total: true, reason: false })
  expect(toChosenColumns(COLUMNS, state)).toEqual([])
})

test('chosen columns have their order, pins and widths, and come back as they were', () => {
  const choice = [chosen('name', true), chosen('reason', true, 236), chosen('total')]
  const state = toColumnState(COLUMNS, choice)
  expect(state.columnPinning.start).toEqual(['mark', 'name', 'reason'])
  expect(state.columnSizing).toEqual({ reason: 236 })
  expect(toChosenColumns(COLUMNS, state)).toEqual(choice)
})

test('what a list cannot be without is there whatever an address says', () => {
  const { columnOrder, columnVisibility } = toColumnState(COLUMNS, [chosen('reason')])
  expect(columnOrder).toEqual(['mark', 'name', 'reason'])
  expect(columnVisibility.total).toBe(false)
})

test('a column that is shown again comes last', () => {
  const state = toColumnState(COLUMNS, [chosen('total'), chosen('name')])
  const shown = { ...state, columnVisibility: { ...state.columnVisibility, reason: true } }
  expect(toChosenColumns(COLUMNS, shown).map(({ name }) => name)).toEqual(['total', 'name', 'reason'])
})
