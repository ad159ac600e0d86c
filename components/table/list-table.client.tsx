'use client'

import { type ColumnDef, type RowData, useTable } from '@tanstack/react-table'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '#components/class-names.ts'
import { GRID } from '#components/primitives/grid-roles.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { ListFrame, ListRow } from './list-frame.client.tsx'
import { useListKeys } from './list-keys.client.tsx'
import { Pager } from './pager.tsx'
import { RowCells } from './row-cells.tsx'
import { useRowCursor } from './row-cursor.client.tsx'
import { SortBar } from './sort-bar.client.tsx'
import { SortLink, toAriaSort } from './sort-link.tsx'
import { type Features, features } from './table-features.ts'

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
  /** How a row lays out its cells on a phone (app/lists.css). */
  rowClass: string
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
  const { body, current } = cursor

  useListKeys({
    ...cursor.keys,
    open: () => {
      if (openKey !== null && openKey === keys[current]) panel?.focus()
      else openAt(current)
    },
    ...(selection && { select: () => toggle(keys[current] ?? '') }),
    escape: () => {
      if (openKey !== null) {
        panel?.close()
        cursor.focus()
      } else selection?.onChange(new Map())
    },
  })

  // scrolls to the line of a pasted link, once
  const isFirstView = useRef(true)
  useEffect(() => {
    if (isFirstView.current && current > 0) body.current?.rows[current]?.scrollIntoView({ block: 'center' })
    isFirstView.current = false
  }, [body, current])

  const onRowClick = (event: MouseEvent, index: number) => {
    if (event.target instanceof Element && event.target.closest('a')) return
    if (window.getSelection()?.isCollapsed === false) return
    cursor.setCurrent(keys[index] ?? '')
    if (selection && (event.metaKey || event.ctrlKey)) toggle(keys[index] ?? '')
    else openAt(index)
  }
  const sortAddress = (sort: Sort<Key>) => toAddress({ sort, page: 1 })
  const headers = table.getHeaderGroups().flatMap((group) => group.headers)
  const sortable = headers.flatMap(({ column: { columnDef } }) => {
    const { sortKey, align } = columnDef.meta ?? {}
    return sortKey === undefined ? [] : [{ key: sortKey as Key, label: String(columnDef.header), align }]
  })

  return (
    <ListFrame
      label={label}
      roles={selection ? GRID.selectable : GRID.table}
      rowCount={rowCount}
      address={toAddress({})}
      sortBar={<SortBar choices={sortable} sort={query.sort} toAddress={sortAddress} />}
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
      <thead className="max-md:sr-only">
        <tr {...GRID.row} aria-rowindex={1}>
          {headers.map((header) => {
            const { sortKey, align, cell } = header.column.columnDef.meta ?? {}
            return (
              <th
                key={header.id}
                {...GRID.head}
                aria-sort={toAriaSort(query.sort, sortKey as Key | undefined)}
                className={classNames('cell-head', cell, align === 'end' && 'text-right')}
              >
                {sortKey === undefined ? (
                  <table.FlexRender header={header} />
                ) : (
                  <SortLink sortKey={sortKey as Key} sort={query.sort} toAddress={sortAddress} align={align}>
                    {String(header.column.columnDef.header)}
                  </SortLink>
                )}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody ref={body} className="max-md:block">
        {table.getRowModel().rows.map((row, index) => (
          <ListRow
            key={row.id}
            {...GRID.row}
            aria-rowindex={(query.page - 1) * query.pageSize + index + 2}
            aria-selected={selection ? selected.has(row.id) : undefined}
            {...cursor.rowProps(index)}
            onClick={(event) => onRowClick(event, index)}
            isMarked={row.id === openKey || selected.has(row.id)}
            className={props.rowClass}
          >
            <RowCells row={row} isSelected={selected.has(row.id)} amountRoom={props.amountRoom} />
          </ListRow>
        ))}
      </tbody>
    </ListFrame>
  )
}
