import { classNames } from '#components/class-names.ts'
import { Link } from '#components/query/link.client.tsx'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { Matrix, MatrixRow } from '#lib/ledger/model.ts'
import { decimalSign, formatCount, formatNumber } from '#lib/reconcile/format.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toGroupName } from './group-labels.ts'
import { MatrixFigure } from './matrix-figure.tsx'
import { isOpen, toTurnedAddress } from './matrix-table.ts'

/** The lines of a row, or of one of its cells. */
export type CellAddress = (values: (string | null)[], column?: string | null) => string

type MatrixRowProps = {
  row: MatrixRow
  matrix: Matrix
  by: GroupKey[]
  measure: Measure
  toLines: CellAddress
  search: string
  /** What a row that is no group is called. */
  name?: string
  /** Groups inside it that are not shown. */
  further?: number | undefined
}

export function MatrixRowCells({ row, matrix, measure, toLines, ...named }: MatrixRowProps) {
  const currency = matrix.currency ?? ''
  const { values, compared } = row
  const figure = (amount: DecimalText, signed = false) => (
    <MatrixFigure amount={amount} currency={currency} measure={measure} signed={signed} />
  )
  const level = values.length
  return (
    <tr className={classNames('matrix-row', level === 0 && 'is-total', level === 2 && 'is-inner')}>
      <RowName row={row} matrix={matrix} {...named} />
      {row.cells.map((amount, at) => {
        const column = matrix.columns[at]
        return (
          <td key={JSON.stringify(column?.value)} className="figure">
            {amount !== null && <Link href={toLines(values, column?.value ?? null)}>{figure(amount)}</Link>}
          </td>
        )
      })}
      <td className="figure matrix-total">
        <Link href={toLines(values)}>{figure(row.total)}</Link>
      </td>
      <td className="figure">{row.share !== null && toPercent(row.share)}</td>
      {compared !== null && (
        <>
          <td className="figure">{figure(compared.total)}</td>
          <td className="figure">{figure(compared.change, true)}</td>
          <td className="figure">{compared.percent !== null && toSignedPercent(compared.percent)}</td>
        </>
      )}
    </tr>
  )
}

function RowName({ row, matrix, by, search, name, further }: Omit<MatrixRowProps, 'measure' | 'toLines'>) {
  const { values, label, lineCount } = row
  const level = values.length
  const value = values.at(-1) ?? null
  const key = by[level - 1]
  const text =
    key === undefined ? { name: name ?? '', isUnknown: false } : toGroupName({ values: [{ key, value, label }] })
  const words = <bdi className={text.isUnknown ? 'text-ink2' : undefined}>{text.name}</bdi>
  const canOpen = level === 1 && by.length > 1
  return (
    <th scope="row" className="matrix-name">
      {canOpen ? (
        <ListLink
          href={toTurnedAddress(search, value, matrix.page)}
          aria-expanded={isOpen(search, value)}
          className="matrix-turn"
        >
          {words}
        </ListLink>
      ) : (
        words
      )}{' '}
      <small>
        {formatCount(lineCount)}
        <span className="sr-only"> {lineCount === 1 ? 'line' : 'lines'}</span>
        {further !== undefined && ` · ${formatCount(further)} more inside`}
      </small>
    </th>
  )
}

function toSignedPercent(percent: DecimalText): string {
  return (/[1-9]/.test(percent) && !percent.startsWith('-') ? '+' : '') + toPercent(percent)
}

/** With its one decimal also where that is zero. */
function toPercent(percent: DecimalText): string {
  return `${formatNumber(percent)}${percent.endsWith('.0') ? `${decimalSign()}0` : ''} %`
}
