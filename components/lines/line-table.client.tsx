'use client'

import { type RowSelectionState, useTable } from '@tanstack/react-table'
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react'
import { type LineQuery, writeLineQuery } from '../../lib/ledger/line-query.ts'
import type { LineRow } from '../../lib/ledger/model.ts'
import type { Sort } from '../../lib/ledger/search-params.ts'
import { classNames } from '../class-names.ts'
import { AlignedAmount, toDecimalRoom } from '../figures/aligned-amount.tsx'
import { GRID } from '../primitives/grid-roles.ts'
import { ScrollBox } from '../primitives/scroll-box.tsx'
import { useKeptScroll } from '../query/kept-scroll.client.tsx'
import { toAddress } from '../query/list-address.ts'
import { features, INVOICE_LINE_COLUMNS, LINE_COLUMNS, toRowKey } from './line-columns.tsx'
import { LinePanel } from './line-panel-slot.client.tsx'
import { useListKeys } from './list-keys.client.tsx'
import { useOpenLine } from './open-line.client.tsx'
import { Pager } from './pager.tsx'
import { SelectionSummary } from './selection-summary.client.tsx'
import { SortLink, toAriaSort } from './sort-link.tsx'

type LineTableProps = {
  rows: LineRow[]
  query: LineQuery
  lineCount: number
  pageCount: number
  /** The page that the table is on; its address takes sorting and paging. */
  path: string
  /** Filters that the page itself stands for: they are not written into its address. */
  implied?: Partial<LineQuery>
}

/** Lines as a table to be read by keyboard: one row is current, a row opens its panel, rows can be selected. */
export function LineTable({ rows, query, lineCount, pageCount, path, implied }: LineTableProps) {
  const address = (change: Partial<LineQuery>) => toAddress(path, writeLineQuery({ ...query, ...implied, ...change }))
  const sortAddress = (sort: Sort<LineQuery['sort']['key']>) => address({ sort, page: 1 })
  const { openKey, open, close } = useOpenLine()
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const [selected, setSelected] = useState<ReadonlyMap<string, LineRow>>(new Map())
  const scroller = useRef<HTMLElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  useKeptScroll(scroller, address({}))

  const rowSelection = useMemo<RowSelectionState>(
    () => Object.fromEntries([...selected.keys()].map((key) => [key, true])),
    [selected],
  )
  const table = useTable({
    features,
    columns: implied === undefined ? LINE_COLUMNS : INVOICE_LINE_COLUMNS,
    data: rows,
    getRowId: toRowKey,
    manualSorting: true,
    state: { rowSelection, sorting: [{ id: query.sort.key, desc: query.sort.descending }] },
    onRowSelectionChange: (update) => {
      const next = typeof update === 'function' ? update(rowSelection) : update
      const known = new Map([...selected, ...rows.map((row) => [toRowKey(row), row] as const)])
      setSelected(new Map([...known].filter(([key]) => next[key] === true)))
    },
  })

  const room = useMemo(
    () => toDecimalRoom(rows.map((row) => ({ amount: row.totalAmount, currency: row.currency }))),
    [rows],
  )
  const keys = rows.map(toRowKey)
  const current = keys.indexOf(activeKey ?? openKey ?? '')

  const goTo = (index: number) => {
    const row = rows[index]
    if (!row) return
    setActiveKey(toRowKey(row))
    body.current?.rows[index]?.focus()
    if (openKey !== null) open(row)
  }
  const focusPanel = () => document.getElementById('line-panel')?.focus()

  useListKeys({
    move: (step) => goTo(current === -1 ? 0 : Math.min(Math.max(current + step, 0), rows.length - 1)),
    toEnd: (end) => goTo(end === 'first' ? 0 : rows.length - 1),
    open: () => {
      const row = rows[current]
      if (!row) return
      if (openKey === keys[current]) focusPanel()
      else open(row)
    },
    select: () => table.getRowModel().rows[current]?.toggleSelected(),
    escape: () => {
      if (openKey !== null) {
        close()
        body.current?.rows[current]?.focus()
      } else setSelected(new Map())
    },
  })

  // the line of a pasted link is brought into view, once
  const isFirstView = useRef(true)
  useEffect(() => {
    if (isFirstView.current && current > 0) body.current?.rows[current]?.scrollIntoView({ block: 'center' })
    isFirstView.current = false
  }, [current])

  const onRowClick = (event: MouseEvent, index: number) => {
    if (window.getSelection()?.isCollapsed === false) return
    const row = rows[index]
    if (!row) return
    setActiveKey(toRowKey(row))
    if (event.metaKey || event.ctrlKey) table.getRowModel().rows[index]?.toggleSelected()
    else open(row)
  }

  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <div className="@container flex min-w-0 flex-1 flex-col">
        <ScrollBox
          ref={scroller}
          label="Lines"
          className="list-body min-h-0 flex-1 overflow-auto -outline-offset-2 max-md:overflow-visible"
        >
          <table
            {...GRID.selectable}
            aria-label="Lines"
            aria-rowcount={lineCount + 1}
            className="w-full border-separate border-spacing-0 text-[13px] max-md:block"
          >
            <thead className="max-md:sr-only">
              {table.getHeaderGroups().map((group) => (
                <tr key={group.id} {...GRID.row} aria-rowindex={1}>
                  {group.headers.map((header) => {
                    const meta = header.column.columnDef.meta
                    return (
                      <th
                        key={header.id}
                        {...GRID.head}
                        aria-sort={toAriaSort(query.sort, meta?.sortKey)}
                        className={classNames('cell-head', meta?.cell, meta?.align === 'end' && 'text-right')}
                      >
                        {meta?.sortKey ? (
                          <SortLink sortKey={meta.sortKey} sort={query.sort} toAddress={sortAddress} align={meta.align}>
                            {String(header.column.columnDef.header)}
                          </SortLink>
                        ) : (
                          <table.FlexRender header={header} />
                        )}
                      </th>
                    )
                  })}
                </tr>
              ))}
            </thead>
            <tbody ref={body} className="max-md:block">
              {table.getRowModel().rows.map((row, index) => (
                <tr
                  key={row.id}
                  data-row
                  {...GRID.row}
                  aria-rowindex={(query.page - 1) * query.pageSize + index + 2}
                  aria-selected={row.getIsSelected()}
                  tabIndex={index === Math.max(current, 0) ? 0 : -1}
                  onFocus={() => setActiveKey(row.id)}
                  onClick={(event) => onRowClick(event, index)}
                  className={classNames(
                    'group scroll-my-10 -outline-offset-2 hover:bg-hover focus-visible:-outline-offset-2',
                    'max-md:grid max-md:grid-cols-[9px_auto_minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-2 max-md:border-b max-md:px-4 max-md:py-2 max-md:[grid-template-areas:"mark_text_text_total_currency"_"mark_date_kind_finding_finding"]',
                    (row.id === openKey || row.getIsSelected()) && 'bg-sel hover:bg-sel',
                  )}
                >
                  {row.getAllCells().map((cell) => {
                    const meta = cell.column.columnDef.meta
                    return (
                      <td
                        key={cell.id}
                        {...GRID.cell}
                        className={classNames(
                          'cell max-md:h-auto max-md:min-w-0 max-md:border-0 max-md:p-0!',
                          meta?.cell,
                          meta?.align === 'end' && 'text-right',
                        )}
                      >
                        {cell.column.id === 'totalAmount' ? (
                          <AlignedAmount
                            amount={row.original.totalAmount}
                            currency={row.original.currency}
                            room={room}
                          />
                        ) : (
                          <table.FlexRender cell={cell} />
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
        <footer className="flex min-h-9 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t bg-panel px-5 py-1 max-md:px-4 print:hidden">
          <SelectionSummary rows={[...selected.values()]} onClear={() => setSelected(new Map())} />
          <Pager
            page={query.page}
            pageCount={pageCount}
            pageSize={query.pageSize}
            rowCount={lineCount}
            noun={lineCount === 1 ? 'line' : 'lines'}
            toAddress={(page) => address({ page })}
          />
        </footer>
      </div>
      <LinePanel openKey={openKey} onClose={close} />
    </div>
  )
}
