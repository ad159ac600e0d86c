import { describeDays } from '#components/filters/filter-scope.ts'
import type { Matrix } from '#lib/ledger/model.ts'
import { writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { MATRIX_QUERY, type MatrixQuery, toKeyParameter, toMatrixLineQuery } from '#lib/ledger/query/matrix-query.ts'
import { describeSharing } from './group-labels.ts'
import { MatrixTable } from './matrix-table.client.tsx'

/** A matrix of groups. */
export function MatrixOfGroups({ matrix, query }: { matrix: Matrix; query: MatrixQuery }) {
  const { by, across } = query
  if (matrix.currency === null) return null
  return (
    <MatrixTable
      key={writeAddress({ ...query, open: [] })}
      matrix={matrix}
      by={by}
      across={across}
      measure={query.measure}
      sort={query.sort}
      pageSize={query.pageSize}
      search={writeAddress({ ...query, page: 1 })}
      lines={writeLineQuery(toMatrixLineQuery(query, matrix.currency))}
      names={{ rows: by.map(toKeyParameter), column: toKeyParameter(across) }}
      comparedWith={matrix.comparedWith && describeDays(matrix.comparedWith.from, matrix.comparedWith.to)}
      sharing={describeSharing([...by, across])}
    />
  )
}

const writeAddress = (query: MatrixQuery) => MATRIX_QUERY.write(query)
