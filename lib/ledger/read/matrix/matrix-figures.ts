/** The figures of a matrix's rows, from its sums. Pure. */
import { type DecimalText, isZeroDecimal, subtractDecimals, toExact, toSize, writeExact } from '#lib/reconcile/money.ts'
import type { MatrixFigures } from '../../model.ts'
import type { CellSum } from './sum-cells.ts'

/** Of a group; null is the unknown one. */
export type Value = string | null

type Sums = {
  columns: readonly CellSum[]
  /** By what the rows are of, and a column's value after it. */
  cells: readonly CellSum[]
  /** By what the rows are of, in the days compared with; null without them. */
  before: readonly CellSum[] | null
  /** What a share is a share of. */
  grand: DecimalText
}

type Row = Pick<CellSum, 'values' | 'amount' | 'lineCount'>

const HUNDRED = toExact('100' as DecimalText)
const toKey = (values: readonly Value[]) => JSON.stringify(values)

/** Makes the figures of a row; `values` is empty for that of all lines. */
export function createFigures({ columns, cells, before, grand }: Sums): (row: Row) => MatrixFigures {
  const amounts = new Map(cells.map((cell) => [toKey(cell.values), cell.amount]))
  const earlier = before && new Map(before.map((sum) => [toKey(sum.values), sum.amount]))
  return ({ values, amount, lineCount }) => ({
    cells: columns.map((column) => amounts.get(toKey([...values, column.values[0] ?? null])) ?? null),
    total: amount,
    lineCount,
    share: toPercent(amount, grand),
    compared: earlier && compare(amount, earlier.get(toKey(values)) ?? ('0' as DecimalText)),
  })
}

function compare(total: DecimalText, before: DecimalText): MatrixFigures['compared'] {
  const change = subtractDecimals(total, before)
  return { total: before, change, percent: toPercent(change, toSize(before)) }
}

/** Rounded half away from zero; null of nothing. */
function toPercent(part: DecimalText, whole: DecimalText): DecimalText | null {
  return isZeroDecimal(whole) ? null : writeExact(toExact(part).times(HUNDRED).dividedBy(whole), 1)
}
