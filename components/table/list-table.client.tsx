'use client'

import { type ColumnDef, type RowData, type Row as TableRow, useTable } from '@tanstack/react-table'
import { type MouseEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '#components/class-names.ts'
import { GRID } from '#components/primitives/grid-roles.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { ListBody, ListFrame, ListRow } from './list-frame.client.tsx'
import { useListKeys } from './list-keys.client.tsx'
import { Pager } from './pager.tsx'
import { RowCells } from './row-cells.tsx'
import { findRowIndex, useRowCursor } from './row-cursor.client.tsx'
import { SortBar } from './sort-bar.client.tsx'
import { SortLink, toAriaSort } from './sort-link.tsx'
import { type Features, features } from './table-features.ts'
import { useSort } from './use-sort.client.tsx'

export type Columns<Row extends RowData> = ColumnDef<Features, Row>[]

type Place<Key extends string> = { sort: Sort<Key>; page: number; pageSize: number }

type ListTableProps<Row extends RowData, Key extends string> = {
  label: string
  /** The records' name, singular and plural. */
  noun: [one: string, many: string]
  columns: Columns<Row>
  rows: Row[]
  /** Decimals that the amount column makes room for (toDecimalRoom). */
  amountRoom: number
  toKey: (row: Row) => string
  query: Place<Key>
  /** The list's address with another order or page. */
  toAddress: (change: Partial<Pick<Place<Key>, 'sort' | 'page'>>) => string
  /** On all pages together. */
  rowCount: number
  pageCount: number
  /** Its rows' class: the cells' looks, also on a phone (app/lists.css). */
  rowClass: string
  className?: string | undefined
  onOpen: (row: Row) => void
  /** The panel beside the list, if it has one; it follows the current row. */
  panel?: { openKey: string | null; close: () => void; focus: () => void }
  /** The selected rows of all pages, if rows can be selected. */
  selection?: { rows: ReadonlyMap<string, Row>; onChange: (rows: ReadonlyMap<string, Row>) => void }
  /** At the left of the foot. */
  summary?: ReactNode
}

/** A list as a table for keyboard use: one row is current; rows open and can be selected. */
export function ListTable<Row extends RowData, Key extends string>(props: ListTableProps<Row, Key>) {
  const { label, noun, columns, rows, toKey, query, toAddress, rowCount, pageCount, onOpen, panel, selection } = props
  const openKey = panel?.openKey ?? null
  const selected: ReadonlyMap<string, Row> = selection?.rows ?? new Map()
  const toggle = (key: string) => {
    const row = rows.find((each) => toKey(each) === key)
    if (row === undefined) return
    const next = new Map(selected)
    if (!next.delete(key)) next.set(key, row)
    selection?.onChange(next)
  }
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: toKey,
    meta: { amountRoom: props.amountRoom, isSelected: (key) => selected.has(key), toggle },
  })
  const keys = rows.map(toKey)
  const openAt = (index: number) => {
    const row = rows[index]
    if (row !== undefined) onOpen(row)
  }
  const cursor = useRowCursor(keys, {
    fallbackId: openKey,
    onArrive: (index) => {
      if (openKey !== null) openAt(index)
    },
  })
  const { body } = cursor

  useListKeys({
    ...cursor.keys,
    open: () => {
      if (openKey !== null && openKey === keys[cursor.current()]) panel?.focus()
      else openAt(cursor.current())
    },
    ...(selection && { select: () => toggle(keys[cursor.current()] ?? '') }),
    escape: () => {
      if (openKey !== null) {
        panel?.close()
        cursor.focus()
      } else selection?.onChange(new Map())
    },
  })

  // scrolls to the line of a pasted link, once
  const pasted = useRef(keys.indexOf(openKey ?? ''))
  useEffect(() => {
    if (pasted.current > 0) body.current?.rows[pasted.current]?.scrollIntoView({ block: 'center' })
    pasted.current = -1
  }, [body])

  const onRowClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a, input')) return
    if (window.getSelection()?.isCollapsed === false) return
    const index = findRowIndex(event.target)
    cursor.setCurrent(keys[index] ?? '')
    if (selection && (event.metaKey || event.ctrlKey)) toggle(keys[index] ?? '')
    else openAt(index)
  }
  const sortAddress = (sort: Sort<Key>) => toAddress({ sort, page: 1 })

  return (
    <ListFrame
      label={label}
      roles={selection ? GRID.selectable : GRID.table}
      rowCount={rowCount}
      address={toAddress({})}
      className={props.className}
      sortBar={<SortBar choices={listSorts<Row, Key>(columns)} sort={query.sort} toAddress={sortAddress} />}
      foot={
        <>
          {props.summary}
          <Pager
            page={query.page}
            pageCount={pageCount}
            pageSize={query.pageSize}
            rowCount={rowCount}
            noun={rowCount === 1 ? noun[0] : noun[1]}
            toAddress={(page) => toAddress({ page })}
          />
        </>
      }
    >
      <ListHead columns={columns} sort={query.sort} toAddress={sortAddress} />
      <ListBody ref={body} onFocus={cursor.onFocus} onClick={onRowClick}>
        {table.getRowModel().rows.map((row, index) => (
          <DrawnRow
            key={row.id}
            row={row}
            rowIndex={(query.page - 1) * query.pageSize + index + 2}
            isSelected={selection ? selected.has(row.id) : undefined}
            isMarked={row.id === openKey || selected.has(row.id)}
            rowClass={props.rowClass}
            amountRoom={props.amountRoom}
          />
        ))}
      </ListBody>
    </ListFrame>
  )
}

type ListHeadProps<Row extends RowData, Key extends string> = {
  columns: Columns<Row>
  sort: Sort<Key>
  toAddress: (sort: Sort<Key>) => string
}

/** The column names. A new order shows here before the rows are there. */
function ListHead<Row extends RowData, Key extends string>(props: ListHeadProps<Row, Key>) {
  const { columns, toAddress } = props
  const { sort, sortBy } = useSort(props.sort, toAddress)
  return (
    <thead className="max-md:sr-only">
      <tr {...GRID.row} aria-rowindex={1}>
        {columns.map(({ id, header, meta: { sortKey, align, cell, isNameHidden } = {} }) => (
          <th
            key={id ?? cell}
            {...GRID.head}
            aria-sort={toAriaSort(sort, sortKey as Key | undefined)}
            className={classNames('cell-head', cell, align === 'end' && 'text-right')}
          >
            {sortKey === undefined ? (
              <span className={isNameHidden && 'sr-only'}>{String(header)}</span>
            ) : (
              <SortLink sortKey={sortKey as Key} sort={sort} toAddress={toAddress} sortBy={sortBy} align={align}>
                {String(header)}
              </SortLink>
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** The columns that sort, with their names. */
function listSorts<Row extends RowData, Key extends string>(columns: Columns<Row>) {
  return columns.flatMap(({ header, meta: { sortKey, align } = {} }) =>
    sortKey === undefined ? [] : [{ key: sortKey as Key, label: String(header), align }],
  )
}

type DrawnRowProps<Data extends RowData> = {
  row: TableRow<Features, Data>
  /** In the whole list, where the column names are the first. */
  rowIndex: number
  isSelected: boolean | undefined
  isMarked: boolean
  rowClass: string
  /** What the cells read besides their row and its selection. */
  amountRoom: number
}

/** Drawn again only when one of its properties changes, not when another row becomes current. */
const DrawnRow = memo(function DrawnRow<Data extends RowData>(props: DrawnRowProps<Data>) {
  return (
    <ListRow
      aria-rowindex={props.rowIndex}
      aria-selected={props.isSelected}
      tabIndex={-1}
      isMarked={props.isMarked}
      className={props.rowClass}
    >
      <RowCells row={props.row} />
    </ListRow>
  )
}) as <Data extends RowData>(props: DrawnRowProps<Data>) => ReactNode
