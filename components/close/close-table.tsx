import type { CSSProperties } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { toAddress } from '#components/query/address.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { type CloseQuery, isSamePeriod, toShownRows, writeCloseQuery } from '#lib/ledger/close/close-query.ts'
import type { CloseCell, CloseColumn, CloseTable as Table } from '#lib/ledger/close/close-table.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { CloseBar } from './close-bar.tsx'
import { CloseCells } from './close-cells.client.tsx'
import { CloseText } from './close-text.tsx'
import { toLastStep, toMovedText } from './close-words.ts'

type CloseTableProps = {
  table: Table
  query: CloseQuery
  /** Names of the accounts, where there are several. */
  accounts: ReadonlyMap<string, string> | null
}

/** Months by profile, each cell with its state and what its lines come to. */
export function CloseTable({ table: { rows, columns, totals }, query, accounts }: CloseTableProps) {
  const shown = toShownRows(rows, query)
  const toHref = (chosen: PeriodScope<ConnectionId>) => toAddress('/close', writeCloseQuery({ ...query, chosen }))
  return (
    <ScrollBox label="Table of months" className="close-box">
      <CloseCells>
        <table
          aria-label="Months by profile"
          className="close-table"
          style={{ '--columns': columns.length } as CSSProperties}
        >
          <thead>
            <tr>
              <th scope="col">Month</th>
              {columns.map((column) => (
                <th key={toKey(column)} scope="col">
                  <ColumnHead column={column} accounts={accounts} />
                </th>
              ))}
              <th scope="col">All</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ month, cells, byState }) => (
              <tr key={month}>
                <th scope="row">{formatMonth(month)}</th>
                {cells.map((cell, at) => {
                  const column = columns[at] as CloseColumn
                  return (
                    <td key={toKey(column)} data-name={toName(column)}>
                      {cell !== null && <Cell {...{ cell, column, query, toHref }} />}
                    </td>
                  )
                })}
                <td className="close-all">
                  <All {...{ month, byState, columns, query, toHref }} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{rows.length} months</th>
              {columns.map((column, at) => (
                <td key={toKey(column)} data-name={toName(column)}>
                  {column.currency !== '' && totals[at] !== undefined && (
                    <ShortAmount amount={totals[at]} currency={column.currency} />
                  )}
                </td>
              ))}
              <td />
            </tr>
          </tfoot>
        </table>
      </CloseCells>
    </ScrollBox>
  )
}

const toKey = ({ connectionId, profileId }: CloseColumn) => `${connectionId} ${profileId}`
const toName = ({ name, profileId }: CloseColumn) => name ?? profileId ?? 'No profile'

function ColumnHead({ column, accounts }: { column: CloseColumn; accounts: CloseTableProps['accounts'] }) {
  const account = accounts?.get(column.connectionId)
  return (
    <>
      <bdi title={toName(column)}>{toName(column)}</bdi>
      <small>
        {account !== undefined && <bdi>{account}</bdi>}
        <span>{column.currency}</span>
      </small>
    </>
  )
}

type CellProps = {
  cell: CloseCell
  column: CloseColumn
  query: CloseQuery
  toHref: (chosen: PeriodScope<ConnectionId>) => string
}

/** Lines without a profile are signed with their whole account. */
function Cell({ cell, column: { connectionId, profileId, currency }, query, toHref }: CellProps) {
  const { month } = cell
  const scope: PeriodScope<ConnectionId> =
    profileId === null
      ? { kind: 'connection_month', connectionId, month }
      : { kind: 'profile_month', connectionId, profileId, month }
  const own = cell.money.find((each) => each.currency === currency)
  const others = cell.money.length - (own === undefined ? 0 : 1)
  const moved = toMovedText(cell)
  return (
    <a
      href={toHref(scope)}
      aria-current={isSamePeriod(scope, query.chosen) ? 'true' : undefined}
      data-stand={cell.stand.state}
      className="close-cell"
    >
      <CloseText stand={cell.stand} last={toLastStep(cell.standing)} />
      <span className="close-cell-money">
        {moved !== null && <b title={moved.title}>{moved.text}</b>}
        {own !== undefined && <ShortAmount amount={own.net} currency={own.currency} />}
        {others > 0 && <small> + {others} more</small>}
      </span>
    </a>
  )
}

type AllProps = Pick<CellProps, 'query' | 'toHref'> &
  Pick<Table['rows'][number], 'month' | 'byState'> & { columns: readonly CloseColumn[] }

/** The bar leads to the account's month, where there is one account. */
function All({ month, byState, columns, query, toHref }: AllProps) {
  const [first, ...others] = new Set(columns.map(({ connectionId }) => connectionId))
  if (byState.length === 0) return null
  if (first === undefined || others.length > 0) return <CloseBar parts={byState} />
  const scope: PeriodScope<ConnectionId> = { kind: 'connection_month', connectionId: first, month }
  return (
    <a
      href={toHref(scope)}
      aria-current={isSamePeriod(scope, query.chosen) ? 'true' : undefined}
      className="close-cell"
    >
      <span className="sr-only">All of {formatMonth(month)}: </span>
      <CloseBar parts={byState} />
    </a>
  )
}
