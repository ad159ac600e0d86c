'use client'

import { useTable } from '@tanstack/react-table'
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '#components/class-names.ts'
import { toDecimalRoom } from '#components/figures/aligned-amount.tsx'
import { GRID } from '#components/primitives/grid-roles.ts'
import type { MenuItem } from '#components/primitives/menu-box.client.tsx'
import type { ListView, Place } from '#components/query/view-address.ts'
import { withoutColumns } from '#lib/ledger/query/list-columns.ts'
import { FIRST_PAGE, type RowKey, writeRowKey } from '#lib/ledger/query/list-place.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { useListColumns } from './columns/use-list-columns.client.tsx'
import { DrawnRow, Spacer, WaitingRow } from './drawn-row.client.tsx'
import { ListBody, ListFrame } from './list-frame.client.tsx'
import { ListHead } from './list-head.client.tsx'
import { useListKeys } from './list-keys.client.tsx'
import { ListPlace } from './list-place.client.tsx'
import { useListRows } from './list-rows.client.tsx'
import { findRowIndex, useRowCursor } from './row-cursor.client.tsx'
import { useRowMenu } from './row-menu/use-row-menu.client.tsx'
import { NOTHING_SELECTED } from './selection.ts'
import { SortBar } from './sort-bar.client.tsx'
import { type Columns, FEATURES } from './table-features.ts'
import { type SelectionProps, useRowSelection } from './use-row-selection.client.tsx'
import type { EarlySource } from './window/drawn-rows.ts'
import type { Ask } from './window/missing-rows.ts'

/** The amounts of a row stand on their decimal points. */
type AmountRow = { currency: string }

type ListTableProps<Row extends AmountRow, Key extends string> = {
  label: string
  /** The records' name, singular and plural. */
  noun: [one: string, many: string]
  columns: Columns<Row>
  /** The page from the server: its rows, their place, and how many the list has. */
  source: EarlySource<Row>
  toKey: (row: Row) => RowKey
  view: ListView<Key>
  /** The list's address with another order or place. */
  toAddress: (place: Place<Key>) => string
  /** Where other rows of the list are. */
  toRowsAddress: (ask: Ask) => string
  /** Its rows' class: the cells' looks, also on a phone (app/lists.css). */
  rowClass: string
  className?: string | undefined
  onOpen: (row: Row) => void
  /** What else can be done with a row, for its menu. */
  listVerbs: (row: Row) => Promise<MenuItem[]>
  /** The letters of keys of the list's own. */
  rowKeys?: string | undefined
  /** Acts on the current row; null where there is none. */
  onRowKey?: (key: string, row: Row | null) => void
  /** The panel beside the list, if it has one; it follows the current row. */
  panel?: {
    openKey: string | null
    close: () => void
    focus: () => void
    /** What was done last: where it takes the open row from the list, the next one opens. */
    done?: string
  }
  /** If rows can be selected. */
  selection?: SelectionProps<Row> | undefined
  /** Whether paper has all its rows, not those in sight. */
  isPrintedWhole?: boolean
  /** At the left of the foot. */
  summary?: ReactNode
}

/** A list as a table for keyboard use: one row is current; rows open and can be selected. */
export function ListTable<Row extends AmountRow, Key extends string>(props: ListTableProps<Row, Key>) {
  const { label, columns, source, view, toAddress, toRowsAddress, onOpen, panel, selection } = props
  const { sort, beside, pageSize, density } = view
  const toId = (row: Row) => writeRowKey(props.toKey(row))
  const openKey = panel?.openKey ?? null
  // other columns are no other list
  const [path = '', search = ''] = toAddress(FIRST_PAGE).split('?')
  const address = `${path} ${withoutColumns(search)}`
  const body = useRef<HTMLTableSectionElement>(null)
  const { toKey, isPrintedWhole } = props
  const list = { source, beside, pageSize, address, density, toKey, toRowsAddress, isPrintedWhole }
  const shown = useListRows(list, body)
  const { first, rows, window: rowWindow } = shown
  const data = useMemo(() => rows.filter((row) => row !== null), [rows])
  const keys = useMemo(() => rows.map((row) => row && writeRowKey(props.toKey(row))), [rows, props.toKey])
  const amountRoom = useAmountRoom(data)
  const layout = useListColumns(columns, view.columns)
  const selected = useRowSelection(selection, {
    drawn: useMemo(() => new Map(data.map((row) => [writeRowKey(props.toKey(row)), row])), [data, props.toKey]),
    placeOf: (key) => first + keys.indexOf(key),
    read: async (from, to) => rowWindow?.read(from, to) ?? source.rows.slice(from - source.place, to - source.place),
    toKey: toId,
  })
  const pick = useLatest(selected.pick)
  const table = useTable({
    features: FEATURES,
    columns,
    data,
    getRowId: toId,
    state: { ...layout.state, rowSelection: selected.state },
    ...layout.changes,
    onRowSelectionChange: selected.onChange,
    enableRowSelection: selection !== undefined,
    defaultColumn: { minSize: 40, maxSize: 900 },
    meta: {
      amountRoom,
      pick,
      sight: shown.sight,
      keysInSight: (sight) => {
        const [from, to] = sight === null ? [0, keys.length] : [sight.from - first, sight.to - first]
        return keys.slice(Math.max(0, from), Math.max(0, to)).filter((key) => key !== null)
      },
    },
  })
  const tableRows = table.getRowModel().rowsById
  const openAt = (index: number) => {
    const row = rows[index - first] ?? null
    if (row !== null) onOpen(row)
  }
  const cursor = useRowCursor(body, keys, {
    first,
    count: (rowWindow && source.count) ?? first + rows.length,
    reveal: rowWindow?.reveal,
    fallbackId: openKey,
    onArrive: (index) => {
      if (openKey !== null) openAt(index)
    },
  })
  const menu = useRowMenu()
  const findKey = () => keys[cursor.current() - first] ?? ''

  useListKeys({
    ...cursor.keys,
    ...(rowWindow && { turn: (direction) => cursor.keys.move(direction * rowWindow.rowsInSight()) }),
    open: () => {
      if (openKey !== null && openKey === findKey()) panel?.focus()
      else openAt(cursor.current())
    },
    others: props.rowKeys,
    other: (key) => props.onRowKey?.(key, rows[cursor.current() - first] ?? null),
    ...(selection && { select: (isRange) => pick(findKey(), isRange) }),
    menu: () => {
      const index = cursor.current() - first
      const row = rows[index] ?? null
      if (row !== null)
        menu.open(body.current?.rows[index], async () => [
          { label: 'Open', choose: () => openAt(first + index) },
          ...(selection ? [{ label: 'Select', choose: () => pick(findKey(), false) }] : []),
          ...(await props.listVerbs(row)),
        ])
    },
    escape: () => {
      if (openKey !== null) {
        panel?.close()
        cursor.focus()
      } else selection?.onChange(NOTHING_SELECTED)
    },
  })

  // a link, a reload or a step back opens a line: keys go on from its row
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that come later move no focus
  useEffect(() => {
    const row = openKey === null ? undefined : body.current?.rows[keys.indexOf(openKey)]
    if (row !== undefined && isFirst.current && row.sectionRowIndex > 0) row.scrollIntoView({ block: 'center' })
    isFirst.current = false
    const focused = document.activeElement
    if (row === undefined || openKey === null || (focused !== document.body && !focused?.closest('nav'))) return
    cursor.setCurrent(openKey)
    row.focus({ preventScroll: true })
  }, [openKey])

  // what was done took the open row from the list: the next one is in its place
  const done = useRef({ what: panel?.done, rows: source.rows })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new rows of the server say so
  useEffect(() => {
    const before = done.current
    if (source.rows === before.rows) return
    done.current = { what: panel?.done, rows: source.rows }
    const isIn = (list: readonly Row[]) => list.some((row) => toId(row) === openKey)
    if (panel?.done === before.what || !isIn(before.rows) || isIn(source.rows) || rows.length === 0) return
    cursor.focus()
    openAt(cursor.current())
  }, [source.rows])

  const onRowClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a, input')) return
    if (window.getSelection()?.isCollapsed === false) return
    const index = findRowIndex(event.target)
    const key = keys[index] ?? ''
    cursor.setCurrent(key)
    if (selection && (event.metaKey || event.ctrlKey || event.shiftKey)) pick(key, event.shiftKey)
    else openAt(first + index)
  }
  const sortAddress = (next: Sort<Key>) => toAddress({ sort: next, ...FIRST_PAGE })

  return (
    <ListFrame
      label={label}
      roles={selection ? GRID.selectable : GRID.table}
      rowCount={source.count}
      address={address}
      isComplete={shown.isPaged}
      className={classNames(
        props.className,
        view.columns.length === 0 ? 'has-own-columns' : 'has-chosen-columns',
        density === 'comfortable' && 'is-comfortable',
      )}
      sortBar={<SortBar choices={listSorts<Row, Key>(columns)} sort={sort} toAddress={sortAddress} />}
      foot={
        <>
          {props.summary}
          {menu.slot}
          <ListPlace shown={shown} source={source} noun={props.noun} toAddress={toAddress} toKey={props.toKey} />
        </>
      }
    >
      <ListHead table={table} sort={sort} toAddress={sortAddress} />
      <Spacer height={shown.above} />
      <ListBody ref={body} onFocus={cursor.onFocus} onMouseDown={keepText} onClick={onRowClick}>
        {rows.map((record, offset) => {
          const rowIndex = first + offset + 2
          const row = record && tableRows[keys[offset] ?? '']
          if (!row)
            return <WaitingRow key={rowIndex} rowIndex={rowIndex} columnCount={table.getVisibleLeafColumns().length} />
          return (
            <DrawnRow
              key={rowIndex}
              row={row}
              layout={layout.state}
              rowIndex={rowIndex}
              isSelected={selection ? row.getIsSelected() : undefined}
              isOpen={row.id === openKey}
              rowClass={props.rowClass}
              amountRoom={amountRoom}
            />
          )
        })}
      </ListBody>
      <Spacer height={shown.below} />
    </ListFrame>
  )
}

/** A range of rows is no range of text. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault()
}

/** Decimals for which amount columns make room: they get wider with the rows, never narrower. */
function useAmountRoom(rows: AmountRow[]): number {
  const needed = useMemo(() => toDecimalRoom(rows), [rows])
  const [room, setRoom] = useState(needed)
  if (needed > room) setRoom(needed)
  return Math.max(room, needed)
}

/** The columns that sort, with their names. */
function listSorts<Row extends AmountRow, Key extends string>(columns: Columns<Row>) {
  return columns.flatMap(({ header, meta: { sortKey, kind } = {} }) =>
    sortKey === undefined
      ? []
      : [{ key: sortKey as Key, label: String(header), align: kind === 'figure' ? ('end' as const) : undefined }],
  )
}

/** The same function for good, which calls the latest one: rows that stay do not see it change. */
function useLatest<Given extends unknown[]>(act: (...given: Given) => unknown): (...given: Given) => void {
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  const [call] = useState(
    () =>
      (...given: Given) =>
        void latest.current(...given),
  )
  return call
}
