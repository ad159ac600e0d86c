'use client'

import { useRef, useState } from 'react'
import { afterPaint } from '#components/query/after-paint.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import type { GroupList, GroupRow, LineList } from '#lib/ledger/model.ts'
import { type GroupQuery, writeGroupQuery } from '#lib/ledger/query/group-query.ts'
import { writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { type Branch, type Branches, toBranchQuery } from './group-tree.ts'

type Wish = { id: string; group: GroupRow; query: GroupQuery }

/** The contents of open groups, loaded when a group opens and again after a failure. */
export function useBranches(): { branches: Branches; load: (wish: Wish) => void; loadMore: (wish: Wish) => void } {
  const [branches, setBranches] = useState<Branches>(new Map())
  const underWay = useRef(new Set<string>())
  const put = (id: string, branch: Branch) => setBranches((known) => new Map(known).set(id, branch))

  const ask = async ({ id, group, query }: Wish, page: number, before: Branch | undefined) => {
    if (underWay.current.has(id)) return
    underWay.current.add(id)
    if (page === 1) put(id, { status: 'loading' })
    await afterPaint()
    put(id, page === 1 ? await readBranch(group, query, page) : append(before, await readBranch(group, query, page)))
    underWay.current.delete(id)
  }

  return {
    branches,
    load: (wish) => {
      const known = branches.get(wish.id)
      if (!known || known.status === 'failed') void ask(wish, 1, known)
    },
    loadMore: (wish) => {
      const known = branches.get(wish.id)
      if (known?.status === 'groups' || known?.status === 'lines') void ask(wish, known.page + 1, known)
    },
  }
}

async function readBranch(group: GroupRow, query: GroupQuery, page: number): Promise<Branch> {
  const wanted = toBranchQuery(query, group, page)
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

/** When a further page fails, keeps the loaded rows and a way to retry. */
function append(before: Branch | undefined, next: Branch): Branch {
  if (before?.status === 'groups' && next.status === 'groups') return { ...next, rows: [...before.rows, ...next.rows] }
  if (before?.status === 'lines' && next.status === 'lines') return { ...next, rows: [...before.rows, ...next.rows] }
  return before ?? next
}

function toFailure(
  answer: { status: 'missing' } | { status: 'failed'; text: string; reference: string | null },
): Branch {
  return answer.status === 'failed'
    ? answer
    : { status: 'failed', text: 'This group is no longer there. Reload the page.', reference: null }
}
