'use client'

import { useTable } from '@tanstack/react-table'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type MouseEvent, useMemo, useRef, useState } from 'react'
import type { InvoiceQuery } from '../../lib/ledger/invoice-query.ts'
import type { InvoiceRow } from '../../lib/ledger/model.ts'
import { classNames } from '../class-names.ts'
import { AlignedAmount, toDecimalRoom } from '../figures/aligned-amount.tsx'
import { useListKeys } from '../lines/list-keys.client.tsx'
import { Pager } from '../lines/pager.tsx'
import { SortLink, toAriaSort } from '../lines/sort-link.tsx'
import { GRID } from '../primitives/grid-roles.ts'
import { ScrollBox } from '../primitives/scroll-box.tsx'
import { useKeptScroll } from '../query/kept-scroll.client.tsx'
import { toInvoiceAddress, toListAddress } from '../query/list-address.ts'
import { features, INVOICE_COLUMNS } from './invoice-columns.tsx'

type InvoiceTableProps = { rows: InvoiceRow[]; query: InvoiceQuery; invoiceCount: number; pageCount: number }

/** Invoices as a table to be read by keyboard; a row leads to the invoice's own page. */
export function InvoiceTable({ rows, query, invoiceCount, pageCount }: InvoiceTableProps) {
  const router = useRouter()
  const address = (change: Partial<InvoiceQuery>) => toListAddress({ list: 'invoices', query: { ...query, ...change } })
  const [active, setActive] = useState(-1)
  const scroller = useRef<HTMLElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  useKeptScroll(scroller, address({}))

  const table = useTable({
    features,
    columns: INVOICE_COLUMNS,
    data: rows,
    getRowId: toInvoiceKey,
    manualSorting: true,
    state: { sorting: [{ id: query.sort.key, desc: query.sort.descending }] },
  })
  const room = useMemo(() => toDecimalRoom(rows.map((row) => ({ amount: row.total, currency: row.currency }))), [rows])

  const goTo = (index: number) => {
    setActive(index)
    body.current?.rows[index]?.focus()
  }
  const open = (index: number) => {
    const row = rows[index]
    if (row) router.push(toInvoiceAddress(row.connectionId, row.serialNumber))
  }
  useListKeys({
    move: (step) => goTo(Math.min(Math.max(active + step, 0), rows.length - 1)),
    toEnd: (end) => goTo(end === 'first' ? 0 : rows.length - 1),
    open: () => open(active),
    escape: () => {},
  })
  const onRowClick = (event: MouseEvent, index: number) => {
    if (event.target instanceof Element && event.target.closest('a')) return
    if (window.getSelection()?.isCollapsed === false) return
    open(index)
  }

  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col max-md:flex-none">
      <ScrollBox
        ref={scroller}
        label="Invoices"
        className="list-body min-h-0 flex-1 overflow-auto -outline-offset-2 max-md:overflow-visible"
      >
        <table
          {...GRID.table}
          aria-label="Invoices"
          aria-rowcount={invoiceCount + 1}
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
                      className={classNames(
                        'cell-head',
                        meta?.cell,
                        'text-ink3',
                        meta?.align === 'end' && 'text-right',
                      )}
                    >
                      {meta?.sortKey ? (
                        <SortLink
                          sortKey={meta.sortKey}
                          sort={query.sort}
                          toAddress={(sort) => address({ sort, page: 1 })}
                          align={meta.align}
                        >
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
                tabIndex={index === Math.max(active, 0) ? 0 : -1}
                onFocus={() => setActive(index)}
                onClick={(event) => onRowClick(event, index)}
                className={classNames(
                  'group scroll-my-10 -outline-offset-2 hover:bg-hover focus-visible:-outline-offset-2',
                  'max-md:grid max-md:grid-cols-[auto_minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-2 max-md:border-b max-md:px-4 max-md:py-2 max-md:[grid-template-areas:"text_text_total_currency"_"date_kind_finding_finding"]',
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
                      {cell.column.id === 'total' ? (
                        <AlignedAmount amount={row.original.total} currency={row.original.currency} room={room} />
                      ) : cell.column.id === 'serialNumber' ? (
                        <Link
                          href={toInvoiceAddress(row.original.connectionId, row.original.serialNumber)}
                          prefetch={false}
                          tabIndex={-1}
                          className="block truncate font-medium hover:underline"
                          title={row.original.serialNumber}
                        >
                          <bdi>{row.original.serialNumber}</bdi>
                        </Link>
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
      <footer className="flex min-h-9 shrink-0 items-center justify-end border-t bg-panel px-5 py-1 max-md:px-4 print:hidden">
        <Pager
          page={query.page}
          pageCount={pageCount}
          pageSize={query.pageSize}
          rowCount={invoiceCount}
          noun={invoiceCount === 1 ? 'invoice' : 'invoices'}
          toAddress={(page) => address({ page })}
        />
      </footer>
    </div>
  )
}

function toInvoiceKey(row: InvoiceRow): string {
  return `${row.connectionId}~${row.serialNumber}`
}
