import type { OrganizationId } from '#lib/ids.ts'
import type { Matrix, MatrixFigures } from '../../model.ts'
import type { MatrixQuery } from '../../query/matrix-query.ts'
import type { CursorReader, RowCursor } from '../../sql/tenant-cursor.ts'
import { getMatrix } from './get-matrix.ts'

/**
 * A row of a matrix's file, each value as text; null is unknown, or not asked for. The first names
 * the columns, the last is of all lines.
 */
export type MatrixFileRow = {
  kind: 'head' | 'group' | 'inner group' | 'total'
  values: (string | null)[]
  label: string | null
  cells: (string | null)[]
  figures: MatrixFigures | null
  currency: string | null
}

/** Exactly the rows on the screen: its page, with the groups inside the open ones. */
export async function openMatrixExport(
  organizationId: OrganizationId,
  { signal }: CursorReader,
  query: MatrixQuery,
): Promise<RowCursor<MatrixFileRow>> {
  const rows = listRows(await getMatrix(organizationId, query))
  return { next: async () => rows.splice(0), close: async () => undefined, lost: signal }
}

function listRows({ currency, columns, rows, all }: Matrix): MatrixFileRow[] {
  const toRow = (kind: MatrixFileRow['kind'], values: MatrixFileRow['values'], figures: MatrixFigures) => ({
    kind,
    values,
    label: null,
    cells: figures.cells,
    figures,
    currency,
  })
  const names = columns.map(({ value, label }) => label ?? value)
  return [
    { kind: 'head', values: [], label: null, cells: names, figures: null, currency },
    ...rows.map((row) => ({
      ...toRow(row.values.length === 1 ? 'group' : 'inner group', row.values, row),
      label: row.label,
    })),
    toRow('total', [], all),
  ]
}
