'use client'

import { functionalUpdate, type RowSelectionState, type Updater } from '@tanstack/react-table'
import { useMemo, useRef } from 'react'
import { isSelected, NOTHING_SELECTED, type Selection, select } from './selection.ts'

export type SelectionProps<Row> = { value: Selection<Row>; onChange: (selection: Selection<Row>) => void }

const NO_ROWS: RowSelectionState = {}

type Places<Row> = {
  /** The drawn rows, by key. */
  drawn: ReadonlyMap<string, Row>
  /** Where a row stands in the whole list; -1 if it is not drawn. */
  placeOf: (key: string) => number
  /** The rows from one place to before another; null when they cannot be had. */
  read: (from: number, to: number) => Promise<Row[] | null>
  toKey: (row: Row) => string
}

/**
 * The selection as the table package keeps it, of the rows that are drawn: it also knows rows that
 * are scrolled away, or all.
 */
export function useRowSelection<Row>(
  selection: SelectionProps<Row> | undefined,
  { drawn, placeOf, read, toKey }: Places<Row>,
) {
  const value: Selection<Row> = selection?.value ?? NOTHING_SELECTED
  const anchor = useRef<number | null>(null)
  const state = useMemo<RowSelectionState>(
    () =>
      value === NOTHING_SELECTED
        ? NO_ROWS
        : Object.fromEntries([...drawn.keys()].filter((key) => isSelected(value, key)).map((key) => [key, true])),
    [drawn, value],
  )
  const onChange = (updater: Updater<RowSelectionState>) => {
    const next = functionalUpdate(updater, state)
    const rows = [...drawn]
    const wanted = rows.filter(([key]) => next[key] === true)
    const others = rows.filter(([key]) => next[key] !== true)
    selection?.onChange(select(select(value, wanted, true), others, false))
  }

  const pick = async (key: string, isRange: boolean) => {
    const row = drawn.get(key)
    const place = placeOf(key)
    if (row === undefined || selection === undefined) return
    const from = anchor.current
    if (!isRange || from === null) {
      anchor.current = place
      return selection.onChange(select(value, [[key, row]], !isSelected(value, key)))
    }
    const between = await read(Math.min(from, place), Math.max(from, place) + 1)
    if (between === null) return
    selection.onChange(
      select(
        value,
        between.map((each) => [toKey(each), each]),
        true,
      ),
    )
  }
  return { state, onChange, pick }
}
