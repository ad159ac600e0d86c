import { DownloadLink, FileLink } from '#components/frame/download-link.tsx'
import { toAddress } from '#components/query/address.ts'
import { toListView } from '#components/query/list-view.ts'
import type { GroupList, Matrix } from '#lib/ledger/model.ts'
import { type GroupQuery, toLineQuery, writeGroupQuery } from '#lib/ledger/query/group-query.ts'
import { writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { MATRIX_QUERY, type MatrixQuery, toKeyParameter } from '#lib/ledger/query/matrix-query.ts'
import { GroupFoot } from './group-foot.tsx'
import { describeKeys } from './group-labels.ts'
import { GroupTable } from './group-table.client.tsx'
import type { GroupedLines } from './lines-address.ts'
import { MatrixOfGroups } from './matrix.tsx'
import { describeMatrix } from './matrix-words.ts'
import { packGroups } from './packed-groups.ts'

/** A table of groups, or a matrix of them. */
export type GroupsContent =
  | { kind: 'table'; query: GroupQuery; list: GroupList }
  | { kind: 'matrix'; query: MatrixQuery; list: Matrix }

/** `By trip, then vertical`, or what a matrix is of. */
export function describeContent({ kind, query }: GroupsContent): string {
  return kind === 'table' ? describeKeys(query.by) : describeMatrix(query)
}

/** Its rows, of which there is at least one. */
export function GroupsOf({ content }: { content: GroupsContent }) {
  if (content.kind === 'matrix') return <MatrixOfGroups matrix={content.list} query={content.query} />
  const { list, query } = content
  return (
    <GroupTable
      key={writeGroupQuery({ ...query, page: 1 })}
      list={packGroups(list, query.by[0] ?? 'trip')}
      by={query.by}
      lines={toGroupedLines(query)}
      view={toListView('groups', query)}
      foot={<GroupFoot list={list} by={query.by} />}
    />
  )
}

function toGroupedLines(query: GroupQuery): GroupedLines {
  const names = query.by.map(toKeyParameter)
  return { search: writeLineQuery(toLineQuery(query)), names }
}

/** The file of a table has all of its pages, that of a matrix what is on the screen. */
export function GroupsFile({ kind, query }: GroupsContent) {
  return kind === 'table' ? (
    <DownloadLink target={{ list: 'groups', query }} />
  ) : (
    <FileLink address={toAddress('/matrix', MATRIX_QUERY.write({ ...query, view: null }))} />
  )
}
