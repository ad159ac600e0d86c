'use client'

import { type MouseEvent, memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '#components/class-names.ts'
import { toDecimalRoom } from '#components/figures/aligned-amount.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { GRID } from '#components/primitives/grid-roles.ts'
import type { ListView, Place } from '#components/query/view-address.ts'
import { FIRST_PAGE, type RowKey, writeRowKey } from '#lib/ledger/query/list-place.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { ListBody, ListFrame, ListRow } from './list-frame.client.tsx'
import { useListKeys } from './list-keys.client.tsx'
import { type ListRows, useListRows, useSight } from './list-rows.client.tsx'
import type { Ask } from './missing-rows.ts'
import { Pager } from './pager.tsx'
import { RowCells } from './row-cells.tsx'
import { findRowIndex, useRowCursor } from './row-cursor.client.tsx'
import type { EarlySource } from './row-window.ts'
import { SortBar } from './sort-bar.client.tsx'
import { SortLink, toAriaSort } from './sort-link.tsx'
import type { Columns } from './table-features.ts'
import { useSort } from './use-sort.client.tsx'

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
  /** The panel beside the list, if it has one; it follows the current row. */
  panel?: { openKey: string | null; close: () => void; focus: () => void }
  /** The selected rows, wherever they are, if rows can be selected. */
  selection?: { rows: ReadonlyMap<string, Row>; onChange: (rows: ReadonlyMap<string, Row>) => void } | undefined
  /** At the left of the foot. */
  summary?: ReactNode
}

/** A list as a table for keyboard use: one row is current; rows open and can be selected. */
export function ListTable<Row extends AmountRow, Key extends string>(props: ListTableProps<Row, Key>) {
  const { label, columns, source, view, toAddress, toRowsAddress, onOpen, panel, selection } = props
  const { sort, beside, pageSize } = view
  const toId = (row: Row) => writeRowKey(props.toKey(row))
  const openKey = panel?.openKey ?? null
  const selected: ReadonlyMap<string, Row> = selection?.rows ?? new Map()
  const address = toAddress(FIRST_PAGE)
  const body = useRef<HTMLTableSectionElement>(null)
  const shown = useListRows({ source, beside, pageSize, address, toKey: props.toKey, toRowsAddress }, body)
  const { first, rows, window: rowWindow } = shown
  const data = useMemo(() => rows.filter((row) => row !== null), [rows])
  const amountRoom = useAmountRoom(data)
  const toggle = (key: string) => {
    const row = data.find((each) => toId(each) === key)
    if (row === undefined) return
    const next = new Map(selected)
    if (!next.delete(key)) next.set(key, row)
    selection?.onChange(next)
  }
  const toggleNow = useLatest(toggle)
  const keys = useMemo(() => rows.map((row) => row && writeRowKey(props.toKey(row))), [rows, props.toKey])
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
  const findKey = () => keys[cursor.current() - first] ?? ''

  useListKeys({
    ...cursor.keys,
    ...(rowWindow && { turn: (direction) => cursor.keys.move(direction * rowWindow.rowsInSight()) }),
    open: () => {
      if (openKey !== null && openKey === findKey()) panel?.focus()
      else openAt(cursor.current())
    },
    ...(selection && { select: () => toggle(findKey()) }),
    escape: () => {
      if (openKey !== null) {
        panel?.close()
        cursor.focus()
      } else selection?.onChange(new Map())
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

  const onRowClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a, input')) return
    if (window.getSelection()?.isCollapsed === false) return
    const index = findRowIndex(event.target)
    const key = keys[index] ?? ''
    cursor.setCurrent(key)
    if (selection && (event.metaKey || event.ctrlKey)) toggle(key)
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
      className={props.className}
      sortBar={<SortBar choices={listSorts<Row, Key>(columns)} sort={sort} toAddress={sortAddress} />}
      foot={
        <>
          {props.summary}
          <ListPlace shown={shown} source={source} noun={props.noun} toAddress={toAddress} toKey={props.toKey} />
        </>
      }
    >
      <ListHead columns={columns} sort={sort} toAddress={sortAddress} />
      <Spacer height={shown.above} />
      <ListBody ref={body} onFocus={cursor.onFocus} onClick={onRowClick}>
        {rows.map((row, offset) => {
          const rowIndex = first + offset + 2
          if (row === null) return <WaitingRow key={rowIndex} rowIndex={rowIndex} columnCount={columns.length} />
          const key = keys[offset] ?? ''
          return (
            <DrawnRow
              key={rowIndex}
              row={row}
              rowKey={key}
              columns={columns}
              toggle={toggleNow}
              rowIndex={rowIndex}
              isSelected={selection ? selected.has(key) : undefined}
              isOpen={key === openKey}
              isMarked={key === openKey || selected.has(key)}
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

/** Room for the rows that are not drawn. On paper there is none: it has the drawn ones. */
function Spacer({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tbody aria-hidden className="print:hidden">
      <tr style={{ height }}>
        <td />
      </tr>
    </tbody>
  )
}

/** A row that is on its way. */
function WaitingRow({ rowIndex, columnCount }: { rowIndex: number; columnCount: number }) {
  return (
    <ListRow aria-rowindex={rowIndex} aria-busy tabIndex={-1}>
      <td colSpan={columnCount}>
        <span className="skeleton w-56" />
        <span className="sr-only">Loading</span>
      </td>
    </ListRow>
  )
}

type ListPlaceProps<Row, Key extends string> = {
  shown: ListRows<Row>
  source: EarlySource<Row>
  noun: [one: string, many: string]
  toAddress: (place: Place<Key>) => string
  toKey: (row: Row) => RowKey
}

/** Which rows are in sight, and the way to those before and after. */
function ListPlace<Row, Key extends string>({ shown, source, noun, toAddress, toKey }: ListPlaceProps<Row, Key>) {
  const { rows, place, count } = source
  const sight = useSight(shown)
  const { from, to } = sight ?? { from: place, to: place + rows.length }
  const [first, last] = [rows[0], rows.at(-1)]
  const previous =
    from === 0
      ? null
      : toAddress(
          place === 0 || first === undefined ? FIRST_PAGE : { page: 1, beside: { side: 'before', row: toKey(first) } },
        )
  const next =
    count !== null && to >= count
      ? null
      : toAddress({ page: 1, beside: last === undefined ? null : { side: 'after', row: toKey(last) } })
  return (
    <>
      {shown.hasFailed && (
        <span role="alert" className="list-failure">
          Some rows could not be loaded.
          <button type="button" onClick={shown.window?.retry} className={buttonClass({ look: 'plain', size: 'small' })}>
            Try again
          </button>
        </span>
      )}
      <Pager
        from={from}
        to={to}
        rowCount={count}
        noun={count === 1 ? noun[0] : noun[1]}
        previous={previous}
        next={next}
        turn={shown.window?.turn}
      />
    </>
  )
}

/** Decimals for which amount columns make room: they get wider with the rows, never narrower. */
function useAmountRoom(rows: AmountRow[]): number {
  const needed = useMemo(() => toDecimalRoom(rows), [rows])
  const [room, setRoom] = useState(needed)
  if (needed > room) setRoom(needed)
  return Math.max(room, needed)
}

type ListHeadProps<Row extends AmountRow, Key extends string> = {
  columns: Columns<Row>
  sort: Sort<Key>
  toAddress: (sort: Sort<Key>) => string
}

/** The column names. A new order shows here before the rows are there. */
function ListHead<Row extends AmountRow, Key extends string>(props: ListHeadProps<Row, Key>) {
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
function listSorts<Row extends AmountRow, Key extends string>(columns: Columns<Row>) {
  return columns.flatMap(({ header, meta: { sortKey, align } = {} }) =>
    sortKey === undefined ? [] : [{ key: sortKey as Key, label: String(header), align }],
  )
}

/** The same function for good, which calls the latest one: rows that stay do not see it change. */
function useLatest<Given>(act: (given: Given) => void): (given: Given) => void {
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  const [call] = useState(() => (given: Given) => latest.current(given))
  return call
}

type DrawnRowProps<Row extends AmountRow> = {
  row: Row
  rowKey: string
  columns: Columns<Row>
  toggle: (key: string) => void
  /** In the whole list, where the column names are the first. */
  rowIndex: number
  isSelected: boolean | undefined
  /** Its panel is beside the list. */
  isOpen: boolean
  isMarked: boolean
  rowClass: string
  /** What the cells read besides their row and its selection. */
  amountRoom: number
}

/**
 * Drawn again only when something of its own changes: neither when another row becomes current nor
 * when other rows come.
 */
const DrawnRow = memo(function DrawnRow<Row extends AmountRow>(props: DrawnRowProps<Row>) {
  const { row, rowKey, columns, toggle, isSelected = false, amountRoom } = props
  return (
    <ListRow
      aria-rowindex={props.rowIndex}
      aria-selected={props.isSelected}
      aria-current={props.isOpen || undefined}
      tabIndex={-1}
      isMarked={props.isMarked}
      className={props.rowClass}
    >
      <RowCells row={row} rowKey={rowKey} columns={columns} meta={{ amountRoom, isSelected, toggle }} />
    </ListRow>
  )
}) as <Row extends AmountRow>(props: DrawnRowProps<Row>) => ReactNode
