/** Reads what is inside a group. Loaded before the first group opens. */
import { readListQuery } from '#components/query/list-address.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import type { GroupList, LineList } from '#lib/ledger/model.ts'
import { type GroupQuery, toChildGroupQuery, toGroupLineQuery, writeGroupQuery } from '#lib/ledger/query/group-query.ts'
import { type LineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { type Branch, type GroupPath, groupValue } from './group-tree.ts'

/** What to load inside a group: further groups while keys are left, then lines. */
type BranchQuery = { kind: 'groups'; query: GroupQuery } | { kind: 'lines'; query: LineQuery }

/** The query for one page of a group's content. `query` is the one of the list of all groups. */
export function toBranchQuery(query: GroupQuery, path: GroupPath, page: number): BranchQuery {
  const [outermost, ...inner] = path
  if (outermost === undefined) return { kind: 'groups', query: { ...query, page } }
  const value = groupValue(outermost)
  const children = toChildGroupQuery(query, value)
  return children === null
    ? { kind: 'lines', query: { ...toGroupLineQuery(query, value), page } }
    : toBranchQuery(children, inner, page)
}

/** @param search The query of the list of all groups, as in an address. */
export async function readBranch(search: string, path: GroupPath, page: number): Promise<Branch> {
  const wanted = toBranchQuery(readListQuery('groups', search).query, path, page)
  if (wanted.kind === 'groups') {
    const answer = await readAnswer<GroupList>(`/api/groups?${writeGroupQuery(wanted.query)}`)
    if (answer.status !== 'ready') return toFailure(answer)
    const { rows, groupCount } = answer.value
    return { status: 'groups', rows, page, more: Math.max(0, groupCount - page * wanted.query.pageSize) }
  }
  const answer = await readAnswer<LineList>(`/api/lines?${writeLineQuery(wanted.query)}`)
  if (answer.status !== 'ready') return toFailure(answer)
  const { rows, lineCount } = answer.value
  return { status: 'lines', rows, page, more: Math.max(0, lineCount - page * wanted.query.pageSize) }
}

function toFailure(
  answer: { status: 'missing' } | { status: 'failed'; text: string; reference: string | null },
): Branch {
  return answer.status === 'failed'
    ? answer
    : { status: 'failed', text: 'This group is no longer there. Reload the page.', reference: null }
}
