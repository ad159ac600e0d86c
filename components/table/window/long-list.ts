/**
 * A list that goes on in place: its window of rows, where more rows come from, and the address that
 * follows. Loaded once such a list is there.
 */
import { changeParameters } from '#components/query/change-parameters.ts'
import type { Density } from '#lib/ledger/query/list-columns.ts'
import { type Beside, PLACE_PARAMETERS, type RowKey, writeBeside } from '#lib/ledger/query/list-place.ts'
import type { EarlySource } from './drawn-rows.ts'
import { type Ask, readRows } from './missing-rows.ts'
import { openRowWindow, type RowWindow, type RowWindowOptions } from './row-window.ts'

export type ListSource<Row> = {
  /** The page from the server. */
  source: EarlySource<Row>
  /** What the server's page was asked for. */
  beside: Beside | null
  pageSize: number
  /** Identifies the list. */
  address: string
  /** How tall its rows are. */
  density?: Density
  /** Whether paper has all its rows. */
  isPrintedWhole?: boolean
  toKey: (row: Row) => RowKey
  /** Where other rows of the same list are. */
  toRowsAddress: (ask: Ask) => string
}

type Parts<Row> = Pick<RowWindowOptions<Row>, 'scroller' | 'body' | 'source' | 'draw' | 'onSight'> & {
  /** The list as it is now. */
  list: () => ListSource<Row>
  /** Asks the server for its page again. */
  refresh: () => void
}

export function openLongList<Row>({ list, refresh, ...parts }: Parts<Row>): RowWindow<Row> {
  const { pageSize, toKey, isPrintedWhole = false } = list()
  let changedAt: EarlySource<Row> | null = null
  return openRowWindow<Row>({
    ...parts,
    pageSize,
    toKey,
    isPrintedWhole,
    address: () => list().address,
    isPlaced: () => isInAddress(list().beside),
    read: (ask) => readRows(list().toRowsAddress(ask)),
    onSettle: writePlace,
    onChanged: () => {
      // once for each answer of the server: what it does not mend, it will not mend next time
      if (changedAt !== list().source) refresh()
      changedAt = list().source
    },
  })
}

/** Whether the address says this place, and no other. */
function isInAddress(beside: Beside | null): boolean {
  const { searchParams } = new URL(window.location.href)
  const pairs = writeBeside(beside)
  return ['after', 'before'].every(
    (name) => searchParams.get(name) === (pairs.find(([each]) => each === name)?.[1] ?? null),
  )
}

/** Keeps in the address behind which row one is. */
function writePlace(before: RowKey | null): void {
  const beside: Beside | null = before && { side: 'after', row: before }
  const write = (params: URLSearchParams) => {
    for (const name of PLACE_PARAMETERS) params.delete(name)
    for (const [name, value] of writeBeside(beside)) params.set(name, value)
  }
  const isWritten = isInAddress(beside) && !new URLSearchParams(window.location.search).has('page')
  if (!isWritten) changeParameters(write, { isStep: false })
}
