'use client'

import { useMemo, useState } from 'react'
import { toDecimalRoom } from '#components/figures/aligned-amount.tsx'
import { toAddress } from '#components/query/address.ts'
import { readListQuery } from '#components/query/list-address.ts'
import { ListTable } from '#components/table/list-table.client.tsx'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import { type LineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { LINE_COLUMNS, toRowKey } from './line-columns.tsx'
import { focusLinePanel, LinePanel } from './line-panel-slot.client.tsx'
import { useOpenLine } from './open-line.client.tsx'
import { SelectionSummary } from './selection-summary.client.tsx'

type LineTableProps = {
  rows: PackedRows<LineRow>
  /** The list's query, as in an address. */
  search: string
  lineCount: number
  pageCount: number
  /** The page's path; sorting and paging go into its address. */
  path: string
  /** Filters that the page itself implies and its address leaves out. */
  implied?: Partial<LineQuery>
}

/** Lines as a table for keyboard use: a row opens its panel, and rows can be selected. */
export function LineTable({ rows: packed, search, lineCount, pageCount, path, implied }: LineTableProps) {
  const { query } = useMemo(() => readListQuery('lines', search), [search])
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
        columns={LINE_COLUMNS}
        className={implied === undefined ? undefined : 'of-one-invoice'}
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
