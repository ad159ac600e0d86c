'use client'

import { ROWS_ID } from '#components/primitives/grid-roles.ts'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { NumberedPager } from '#components/table/numbered-pager.tsx'
import { SortLink, toAriaSort } from '#components/table/sort-link.tsx'
import { useSort } from '#components/table/use-sort.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { Matrix } from '#lib/ledger/model.ts'
import type { GroupSortKey } from '#lib/ledger/query/group-query.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import { keyLabel, keyPlural, toGroupName } from './group-labels.ts'
import { toLinesAddress } from './lines-address.ts'
import { MatrixCurrencies } from './matrix-currencies.tsx'
import { type CellAddress, MatrixRowCells } from './matrix-row.tsx'
import { COMPARISON_COLUMNS, toPlaceAddress, toSortAddress } from './matrix-table.ts'

type MatrixTableProps = {
  matrix: Matrix
  by: GroupKey[]
  across: GroupKey
  measure: Measure
  sort: Sort<GroupSortKey>
  pageSize: number
  /** The matrix's first page, as in an address. */
  search: string
  /** The lines that it is made of, as in an address. */
  lines: string
  /** The parameters of the lines' address that its keys are. */
  names: { rows: string[]; column: string }
  /** The days compared with, in words. */
  comparedWith: string | null
  sharing: string | null
}

/** Rows by columns: each figure leads to its lines. The first column stays while others scroll. */
export function MatrixTable(props: MatrixTableProps) {
  const { matrix, by, across, measure, search, lines, names, comparedWith, sharing } = props
  const currency = matrix.currency ?? ''
  const toSorted = (wanted: Sort<GroupSortKey>) => toSortAddress(search, wanted)
  const { sort, sortBy } = useSort(props.sort, toSorted)
  const toLines: CellAddress = (values, column) =>
    toLinesAddress({ search: lines, names: names.rows }, values, column === undefined ? [] : [[names.column, column]])
  const head = (key: GroupSortKey, text: string, align?: 'end') => (
    <SortLink sortKey={key} sort={sort} toAddress={toSorted} sortBy={sortBy} align={align}>
      {text}
    </SortLink>
  )
  const [one, many] = keyPlural(by[0] ?? 'trip')
  const [shown, all] = [matrix.columns.length, matrix.columnCount]
  const cut = `The ${shown} of ${formatCount(all)} columns with the most lines; totals are of all.`
  const note = [...(shown < all ? [cut] : []), ...(sharing === null ? [] : [sharing])].join(' ')
  const further = new Map(matrix.further.map(({ value, count }) => [value, count]))
  return (
    <>
      <MatrixCurrencies matrix={matrix} measure={measure} search={search} />
      <div className="list-frame">
        <ScrollBox label="Matrix" className="list-body list-box of-matrix">
          <table
            aria-label={`${by.map(keyLabel).join(' › ')} by ${keyLabel(across)}, ${currency}`}
            id={ROWS_ID}
            tabIndex={-1}
            className="matrix"
          >
            <thead>
              <tr>
                <th scope="col" aria-sort={toAriaSort(sort, 'key')} className="cell-head matrix-name">
                  {head('key', by.map(keyLabel).join(' › '))}
                </th>
                {matrix.columns.map(({ value, label }) => (
                  <th key={JSON.stringify(value)} scope="col" className="cell-head figure">
                    <bdi>{toGroupName({ values: [{ key: across, value, label }] }).name}</bdi>
                  </th>
                ))}
                <th scope="col" aria-sort={toAriaSort(sort, 'total')} className="cell-head figure matrix-total">
                  {head('total', 'Total', 'end')}
                </th>
                <th scope="col" className="cell-head figure">
                  Share
                </th>
                {comparedWith !== null &&
                  COMPARISON_COLUMNS.map((name) => (
                    <th key={name} scope="col" className="cell-head figure">
                      {name === 'Before' ? comparedWith : name}
                    </th>
                  ))}
              </tr>
            </thead>
            <tbody>
              {matrix.rows.map((row) => (
                <MatrixRowCells
                  key={JSON.stringify(row.values)}
                  row={row}
                  matrix={matrix}
                  by={by}
                  measure={measure}
                  toLines={toLines}
                  search={search}
                  further={row.values.length === 1 ? further.get(row.values[0] ?? null) : undefined}
                />
              ))}
            </tbody>
            <tfoot>
              <MatrixRowCells
                row={{ ...matrix.all, values: [], label: null }}
                matrix={matrix}
                by={by}
                measure={measure}
                toLines={toLines}
                search={search}
                name={`Total of ${plural(matrix.groupCount, one, many)}`}
              />
            </tfoot>
          </table>
        </ScrollBox>
        {(note !== '' || matrix.pageCount > 1) && (
          <footer className="list-foot justify-between!">
            <span className="text-[12.5px] text-ink3">{note}</span>
            {matrix.pageCount > 1 && (
              <NumberedPager
                page={matrix.page}
                pageCount={matrix.pageCount}
                pageSize={props.pageSize}
                rowCount={matrix.groupCount}
                noun={many}
                toAddress={(page) => toPlaceAddress(search, page)}
              />
            )}
          </footer>
        )}
      </div>
    </>
  )
}
