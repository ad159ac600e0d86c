'use client'

import { functionalUpdate, type RowData, type Updater } from '@tanstack/react-table'
import { startTransition, useLayoutEffect, useMemo, useOptimistic, useRef, useState } from 'react'
import { toAddress } from '#components/query/address.ts'
import { afterPaint } from '#components/query/after-paint.ts'
import { useNavigate } from '#components/query/navigate.client.tsx'
import type { Columns } from '#components/table/table-features.ts'
import { type ChosenColumn, withColumns } from '#lib/ledger/query/list-columns.ts'
import { type ColumnState, toChosenColumns, toColumnState } from './column-state.ts'

type ColumnChanges = {
  [Slice in keyof ColumnState as `on${Capitalize<Slice>}Change`]: (updater: Updater<ColumnState[Slice]>) => void
}

/**
 * The columns of a table, which its address has: a change shows at once, and goes into the address.
 * Both are options of the table package.
 */
export function useListColumns<Row extends RowData>(
  columns: Columns<Row>,
  settled: readonly ChosenColumn[],
): { state: ColumnState; changes: ColumnChanges; setChosen: (chosen: readonly ChosenColumn[]) => void } {
  const [chosen, show] = useOptimistic(settled)
  const state = useMemo(() => toColumnState(columns, chosen), [columns, chosen])
  const { navigate } = useNavigate()
  const now = useRef({ state, navigate })
  useLayoutEffect(() => {
    now.current = { state, navigate }
  })
  const [acts] = useState(() => {
    const setChosen = (next: readonly ChosenColumn[]) =>
      startTransition(async () => {
        show(next)
        await afterPaint()
        now.current.navigate(toAddressWith(next), 'replace')
      })
    const change =
      <Slice extends keyof ColumnState>(slice: Slice) =>
      (updater: Updater<ColumnState[Slice]>) => {
        const { state } = now.current
        setChosen(toChosenColumns(columns, { ...state, [slice]: functionalUpdate(updater, state[slice]) }))
      }
    const changes: ColumnChanges = {
      onColumnOrderChange: change('columnOrder'),
      onColumnVisibilityChange: change('columnVisibility'),
      onColumnPinningChange: change('columnPinning'),
      onColumnSizingChange: change('columnSizing'),
    }
    return { setChosen, changes }
  })
  return { state, ...acts }
}

/** The address now, with these columns. One that says nothing would lead to one's own scope. */
function toAddressWith(columns: readonly ChosenColumn[]): string {
  const { pathname, search } = window.location
  return toAddress(pathname, withColumns(search, columns) || 'columns=')
}
