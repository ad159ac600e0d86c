'use client'

import { startTransition, useRef, useState } from 'react'
import { useLater } from '#components/primitives/use-later.client.tsx'
import { afterPaint } from '#components/query/after-paint.ts'
import type { Branch, Branches, GroupPath } from './group-tree.ts'

/** Loads after the page and before the first group opens. */
const loadReader = () => import('./read-branch.ts')

/** An answer that comes sooner changes nothing on the way. */
const NOTICEABLE_MS = 300

type Wish = { id: string; path: GroupPath }

/**
 * The contents of open groups, loaded when a group opens and again after a failure.
 * @param search The query of the list of groups, as in an address.
 */
export function useBranches(search: string): {
  branches: Branches
  load: (wish: Wish) => void
  loadMore: (wish: Wish) => void
} {
  const [branches, setBranches] = useState<Branches>(new Map())
  const underWay = useRef(new Set<string>())
  useLater(loadReader)
  const put = (id: string, branch: Branch) => setBranches((known) => new Map(known).set(id, branch))

  const ask = async ({ id, path }: Wish, page: number, before: Branch | undefined) => {
    if (underWay.current.has(id)) return
    underWay.current.add(id)
    if (page === 1 && before !== undefined) put(id, { status: 'loading', isLate: false })
    await afterPaint()
    const late = page === 1 && setTimeout(() => put(id, { status: 'loading', isLate: true }), NOTICEABLE_MS)
    const next = await read(search, path, page)
    clearTimeout(late || undefined)
    // many rows, which an input in between does not wait for
    startTransition(() => put(id, page === 1 ? next : append(before, next)))
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

async function read(...wish: [search: string, path: GroupPath, page: number]): Promise<Branch> {
  try {
    const { readBranch } = await loadReader()
    return await readBranch(...wish)
  } catch {
    return { status: 'failed', text: 'This group could not be loaded. Try again.', reference: null }
  }
}

/** When a further page fails, keeps the loaded rows and a way to retry. */
function append(before: Branch | undefined, next: Branch): Branch {
  if (before?.status === 'groups' && next.status === 'groups') return { ...next, rows: [...before.rows, ...next.rows] }
  if (before?.status === 'lines' && next.status === 'lines') return { ...next, rows: [...before.rows, ...next.rows] }
  return before ?? next
}
