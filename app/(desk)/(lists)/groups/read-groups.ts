import type { GroupsContent } from '#components/groups/groups-content.tsx'
import type { AppSession } from '#lib/auth/model.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { readAs } from '#lib/ledger/query/line-query.ts'
import { MATRIX_QUERY, toMatrixQuery } from '#lib/ledger/query/matrix-query.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import { listGroups } from '#lib/ledger/read/list-groups.ts'
import { getMatrix } from '#lib/ledger/read/matrix/get-matrix.ts'

/** What an address asks for: `query` has no open groups, which only a matrix reads. */
export function readGroupsQuery(session: AppSession, searchParams: RawSearchParams) {
  const asked = readAs(session, MATRIX_QUERY.parse(searchParams))
  const { open: _open, ...query } = asked
  return { query, matrixQuery: toMatrixQuery(asked) }
}

/** A table of groups, or a matrix of them. */
export async function readGroupsContent(
  organizationId: OrganizationId,
  { query, matrixQuery }: ReturnType<typeof readGroupsQuery>,
): Promise<GroupsContent> {
  return matrixQuery === null
    ? { kind: 'table', query, list: await listGroups(organizationId, query) }
    : { kind: 'matrix', query: matrixQuery, list: await getMatrix(organizationId, matrixQuery) }
}
