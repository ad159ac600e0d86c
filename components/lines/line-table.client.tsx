'use client'

import { lazy, Suspense, useMemo, useState } from 'react'
import { useLater } from '#components/primitives/use-later.client.tsx'
import { type ListView, toViewAddress } from '#components/query/view-address.ts'
import { useDecisions } from '#components/review/use-decisions.client.tsx'
import { ListTable } from '#components/table/list-table.client.tsx'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import { countSelected, NOTHING_SELECTED, type Selection } from '#components/table/selection.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import { withoutColumns } from '#lib/ledger/query/list-columns.ts'
import type { ReviewVerb } from '#lib/reconcile/review/review-state.ts'
import { LINE_COLUMNS } from './line-columns.tsx'
import { writeLineKey } from './line-key.ts'
import { focusLinePanel, LinePanel } from './line-panel-slot.client.tsx'
import { useOpenLine } from './open-line.client.tsx'

export type LineTableProps = {
  rows: PackedRows<LineRow>
  /** The place of the first row among all lines. */
  place: number
  /** Null while they are counted. */
  lineCount: number | null
  view: ListView<LineSortKey>
  /** The page's path; sorting and paging go into its address. */
  path: string
  /** The query in the page's own address, where that leaves out what the page itself implies. */
  ownSearch?: string
  /** What all lines of the page have: its column says nothing there. */
  isOf?: 'invoice' | 'trip'
  /** Where other rows of the list are. */
  rowsPath?: string
  /** For whoever may decide about lines: the list's address among the lines. */
  decidedOn?: string | undefined
}

/** Loads with the first selection. */
const SelectionSummary = lazy(async () => ({
  default: (await import('./selection/selection-summary.client.tsx')).SelectionSummary,
}))

/** Accept, dispute, comment, assign, undo. */
const LINE_KEYS = 'adcwu'
const loadKeys = () => import('./line-keys.ts')

/** A line is its own key. */
const toRowKey = (line: LineRow) => line

/** Lines as a table for keyboard use: a row opens its panel, and rows can be selected. */
export function LineTable(props: LineTableProps) {
  // other filters are another list, other columns are not
  return <Lines key={withoutColumns(toViewAddress('', props.view, { sort: props.view.ownSort }))} {...props} />
}

function Lines({ rows, place, lineCount, view, path, ownSearch, isOf, rowsPath, decidedOn }: LineTableProps) {
  // the rows stay the same ones when their count comes
  const unpacked = useMemo(() => unpackRows(rows), [rows])
  const source = useMemo(() => ({ rows: unpacked, place, count: lineCount }), [unpacked, place, lineCount])
  const { openKey, open, close } = useOpenLine()
  const [opened, setOpened] = useState<LineRow | null>(null)
  const [selection, setSelection] = useState<Selection<LineRow>>(NOTHING_SELECTED)
  const { made, onWish, slot } = useDecisions(() => setSelection(NOTHING_SELECTED))
  useLater(loadKeys)
  const version = `${made?.number} ${made?.isUndone}`
  const isOfRemoved = unpacked[0]?.removedOn !== undefined
  const openRow = [opened, ...source.rows].find((row) => row !== null && writeLineKey(row) === openKey)
  const show = (row: LineRow) => {
    setOpened(row)
    open(row)
  }
  const lines = {
    selection,
    count: lineCount,
    search: decidedOn ?? '',
    toKey: writeLineKey,
    made,
    onWish,
    open: show,
  }
  const decide =
    decidedOn === undefined
      ? undefined
      : async (kind: ReviewVerb, key: string | null) => (await loadKeys()).decideLines(kind, key, lines)
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <ListTable
        label="Lines"
        noun={['line', 'lines']}
        columns={LINE_COLUMNS}
        className={isOf && `of-one-${isOf}`}
        source={source}
        toKey={toRowKey}
        view={view}
        toAddress={(place) => toViewAddress(path, { ...view, search: ownSearch ?? view.search }, place)}
        toRowsAddress={({ page, beside }) => toViewAddress(rowsPath ?? '/api/lines/rows', view, { page, beside })}
        rowClass="line-row"
        isPrintedWhole={ownSearch !== undefined}
        onOpen={show}
        listVerbs={async (row) =>
          (await import('./line-menu.ts')).listLineVerbs(row, ownSearch === undefined ? view.search : '')
        }
        rowKeys={decide && LINE_KEYS}
        onRowKey={async (key, row) => (await loadKeys()).pressLineKey(key, row, lines)}
        panel={{ openKey, close, focus: focusLinePanel, done: version }}
        selection={isOfRemoved ? undefined : { value: selection, onChange: setSelection }}
        summary={
          <div aria-live="polite" className="selection">
            {countSelected(selection, lineCount ?? 0) > 0 && (
              <Suspense>
                <SelectionSummary
                  selection={selection}
                  lineCount={lineCount}
                  view={view}
                  onChange={setSelection}
                  decide={decide && ((kind) => decide(kind, null))}
                />
              </Suspense>
            )}
            {slot}
          </div>
        }
      />
      <LinePanel openKey={openKey} row={openRow ?? null} review={{ decide, version }} onClose={close} />
    </div>
  )
}
