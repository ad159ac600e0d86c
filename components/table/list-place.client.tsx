'use client'

import { buttonClass } from '#components/primitives/button.ts'
import type { Place } from '#components/query/view-address.ts'
import { FIRST_PAGE, type RowKey } from '#lib/ledger/query/list-place.ts'
import { type ListRows, useSight } from './list-rows.client.tsx'
import { Pager } from './pager.tsx'
import type { EarlySource } from './window/drawn-rows.ts'

type ListPlaceProps<Row, Key extends string> = {
  shown: ListRows<Row>
  source: EarlySource<Row>
  noun: [one: string, many: string]
  toAddress: (place: Place<Key>) => string
  toKey: (row: Row) => RowKey
}

/** Which rows are in sight, and the way to those before and after. */
export function ListPlace<Row, Key extends string>({
  shown,
  source,
  noun,
  toAddress,
  toKey,
}: ListPlaceProps<Row, Key>) {
  const { rows, place, count } = source
  const sight = useSight(shown)
  const { from, to } = sight ?? { from: place, to: place + rows.length }
  const [first, last] = [rows[0], rows.at(-1)]
  const previous =
    from === 0
      ? null
      : toAddress(
          place === 0 || first === undefined ? FIRST_PAGE : { page: 1, beside: { side: 'before', row: toKey(first) } },
        )
  const next =
    count !== null && to >= count
      ? null
      : toAddress({ page: 1, beside: last === undefined ? null : { side: 'after', row: toKey(last) } })
  return (
    <>
      {shown.hasFailed && (
        <span role="alert" className="list-failure">
          Some rows could not be loaded.
          <button type="button" onClick={shown.window?.retry} className={buttonClass({ look: 'plain', size: 'small' })}>
            Try again
          </button>
        </span>
      )}
      <Pager
        from={from}
        to={to}
        rowCount={count}
        noun={count === 1 ? noun[0] : noun[1]}
        previous={previous}
        next={next}
        turn={shown.window?.turn}
      />
    </>
  )
}
