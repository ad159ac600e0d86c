'use client'

import { useMemo, useState } from 'react'
import { toAddress } from '#components/query/address.ts'
import { readListQuery } from '#components/query/list-address.ts'
import { ListTable } from '#components/table/list-table.client.tsx'
import { readRows, toPlace } from '#components/table/missing-rows.ts'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_SORT, type LineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { FIRST_PAGE } from '#lib/ledger/query/list-query.ts'
import { LINE_COLUMNS } from './line-columns.tsx'
import { writeLineKey } from './line-key.ts'
import { focusLinePanel, LinePanel } from './line-panel-slot.client.tsx'
import { useOpenLine } from './open-line.client.tsx'
import { SelectionSummary } from './selection-summary.client.tsx'

type LineTableProps = {
  rows: PackedRows<LineRow>
  /** The place of the first row among all lines. */
  place: number
  lineCount: number
  /** The list's query, as in an address. */
  search: string
  /** The page's path; sorting and paging go into its address. */
  path: string
  /** Filters that the page itself implies and its address leaves out. */
  implied?: Partial<LineQuery>
}

/** A line is its own key. */
const toRowKey = (line: LineRow) => line

/** Lines as a table for keyboard use: a row opens its panel, and rows can be selected. */
export function LineTable(props: LineTableProps) {
  const { query } = readListQuery('lines', props.search)
  // other filters are another list
  return <Lines key={writeLineQuery({ ...query, ...FIRST_PAGE, sort: DEFAULT_LINE_SORT })} {...props} />
}

function Lines({ rows, place, lineCount, search, path, implied }: LineTableProps) {
  const { query } = useMemo(() => readListQuery('lines', search), [search])
  const source = useMemo(() => ({ rows: unpackRows(rows), place, count: lineCount }), [rows, place, lineCount])
  const { openKey, open, close } = useOpenLine()
  const [opened, setOpened] = useState<LineRow | null>(null)
  const [selected, setSelected] = useState<ReadonlyMap<string, LineRow>>(new Map())
  const openRow = [opened, ...source.rows].find((row) => row !== null && writeLineKey(row) === openKey)
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <ListTable
        label="Lines"
        noun={['line', 'lines']}
        columns={LINE_COLUMNS}
        className={implied === undefined ? undefined : 'of-one-invoice'}
        source={source}
        toKey={toRowKey}
        query={query}
        toAddress={(change) => toAddress(path, writeLineQuery({ ...query, ...implied, ...change }))}
        read={(ask) => readRows<LineRow>(`/api/lines/rows?${writeLineQuery({ ...query, ...toPlace(ask) })}`)}
        rowClass="line-row"
        onOpen={(row) => {
          setOpened(row)
          open(row)
        }}
        panel={{ openKey, close, focus: focusLinePanel }}
        selection={{ rows: selected, onChange: setSelected }}
        summary={<SelectionSummary rows={[...selected.values()]} onClear={() => setSelected(new Map())} />}
      />
      <LinePanel openKey={openKey} row={openRow ?? null} onClose={close} />
    </div>
  )
}
