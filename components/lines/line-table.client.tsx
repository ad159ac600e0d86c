'use client'

import { useMemo, useState } from 'react'
import { toDecimalRoom } from '#components/figures/aligned-amount.tsx'
import { toAddress } from '#components/query/address.ts'
import { ListTable } from '#components/table/list-table.client.tsx'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import { type LineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { INVOICE_LINE_COLUMNS, LINE_COLUMNS, toRowKey } from './line-columns.tsx'
import { focusLinePanel, LinePanel } from './line-panel-slot.client.tsx'
import { useOpenLine } from './open-line.client.tsx'
import { SelectionSummary } from './selection-summary.client.tsx'

type LineTableProps = {
  rows: PackedRows<LineRow>
  query: LineQuery
  lineCount: number
  pageCount: number
  /** The page's path; sorting and paging go into its address. */
  path: string
  /** Filters that the page itself implies and its address leaves out. */
  implied?: Partial<LineQuery>
}

/** Lines as a table for keyboard use: a row opens its panel, and rows can be selected. */
export function LineTable({ rows: packed, query, lineCount, pageCount, path, implied }: LineTableProps) {
  const rows = useMemo(() => unpackRows(packed), [packed])
  const { openKey, open, close } = useOpenLine()
  const [selected, setSelected] = useState<ReadonlyMap<string, LineRow>>(new Map())
  const room = useMemo(
    () => toDecimalRoom(rows.map((row) => ({ amount: row.totalAmount, currency: row.currency }))),
    [rows],
  )
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <ListTable
        label="Lines"
        noun={['line', 'lines']}
        columns={implied === undefined ? LINE_COLUMNS : INVOICE_LINE_COLUMNS}
        rows={rows}
        amountRoom={room}
        toKey={toRowKey}
        query={query}
        toAddress={(change) => toAddress(path, writeLineQuery({ ...query, ...implied, ...change }))}
        rowCount={lineCount}
        pageCount={pageCount}
        rowClass="line-row"
        onOpen={open}
        panel={{ openKey, close, focus: focusLinePanel }}
        selection={{ rows: selected, onChange: setSelected }}
        summary={<SelectionSummary rows={[...selected.values()]} onClear={() => setSelected(new Map())} />}
      />
      <LinePanel openKey={openKey} row={rows.find((row) => toRowKey(row) === openKey) ?? null} onClose={close} />
    </div>
  )
}
