'use client'

import { flexRender, type Header, type ReactTable, type RowData } from '@tanstack/react-table'
import type { CSSProperties, PointerEvent } from 'react'
import { classNames } from '#components/class-names.ts'
import { GRID } from '#components/primitives/grid-roles.ts'
import { useLater } from '#components/primitives/use-later.client.tsx'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { toCellClass, toPlace } from './drawn-row.client.tsx'
import { SortLink, toAriaSort } from './sort-link.tsx'
import type { Features, ListColumn } from './table-features.ts'
import { useSort } from './use-sort.client.tsx'

const loadResize = () => import('./columns/resize-column.ts')

type ListHeadProps<Row extends RowData, Key extends string> = {
  table: ReactTable<Features, Row>
  sort: Sort<Key>
  toAddress: (sort: Sort<Key>) => string
}

/** The column names. A new order shows here before the rows are there. */
export function ListHead<Row extends RowData, Key extends string>(props: ListHeadProps<Row, Key>) {
  const { table, toAddress } = props
  useLater(loadResize)
  const { sort, sortBy } = useSort(props.sort, toAddress)
  return (
    <thead className="max-md:sr-only">
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id} {...GRID.row} aria-rowindex={1}>
          {group.headers.map((header) => {
            const { column } = header
            const { sortKey, kind } = column.columnDef.meta ?? {}
            return (
              <th
                key={header.id}
                {...GRID.head}
                aria-sort={toAriaSort(sort, sortKey as Key | undefined)}
                className={classNames('cell-head', toCellClass(column), kind === 'figure' && 'text-right')}
                style={{ ...toPlace(column), ...toRoom(column) }}
              >
                {sortKey === undefined ? (
                  <HeadName header={header} />
                ) : (
                  <SortLink
                    sortKey={sortKey as Key}
                    sort={sort}
                    toAddress={toAddress}
                    sortBy={sortBy}
                    align={kind === 'figure' ? 'end' : undefined}
                  >
                    {toName(column)}
                  </SortLink>
                )}
                {column.columnDef.meta?.isFixed || <ResizeHandle column={column} />}
              </th>
            )
          })}
        </tr>
      ))}
    </thead>
  )
}

function HeadName<Row extends RowData>({ header }: { header: Header<Features, Row> }) {
  const { header: name, meta } = header.column.columnDef
  if (typeof name === 'function') return flexRender(name, header.getContext())
  return <span className={meta?.isNameHidden && 'sr-only'}>{name}</span>
}

/** A column's name for people. */
export function toName<Row extends RowData>({ id, columnDef: { header } }: ListColumn<Row>): string {
  return typeof header === 'string' ? header : id
}

/**
 * What a text leaves over goes to the columns that cut theirs. A column with a width of its own
 * keeps it, and so does one that stays in sight: the next one begins where it ends.
 */
function toRoom<Row extends RowData>(column: ListColumn<Row>): CSSProperties {
  const width = column.getSize()
  const isCut = column.columnDef.meta?.kind === undefined || column.columnDef.meta.kind === 'id'
  const isGiven = column.id in column.table.atoms.columnSizing.get() || column.getIsPinned() !== false
  if (isGiven || column.columnDef.meta?.isFixed) return { width, minWidth: width, maxWidth: width }
  return isCut ? { minWidth: width } : { width, minWidth: width }
}

/** Drags a column to another width; a double click gives it back to the list. */
function ResizeHandle<Row extends RowData>({ column }: { column: ListColumn<Row> }) {
  const start = async (event: PointerEvent<HTMLSpanElement>) => {
    const { currentTarget: handle, pointerId, clientX } = event
    const { resizeColumn } = await loadResize()
    resizeColumn(column, handle, { pointerId, clientX })
  }
  return (
    <span
      aria-hidden
      className="resize"
      onPointerDown={start}
      onDoubleClick={() => column.table.setColumnSizing(({ [column.id]: _, ...sizes }) => sizes)}
    />
  )
}
