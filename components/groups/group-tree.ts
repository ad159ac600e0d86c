/** The tree of groups as one flat list of rows; pure, for tests. */

import type { GroupRow, LineRow } from '#lib/ledger/model.ts'

/** The content of an open group; `more` counts the rows still on the server. */
export type Branch =
  /** `isLate` once people notice the wait. */
  | { status: 'loading'; isLate: boolean }
  | { status: 'failed'; text: string; reference: string | null }
  | { status: 'groups'; rows: GroupRow[]; page: number; more: number }
  | { status: 'lines'; rows: LineRow[]; page: number; more: number }

export type Branches = ReadonlyMap<string, Branch>

/** A group with the groups around it, outermost first. */
export type GroupPath = readonly GroupRow[]

type Place = { id: string; parentId: string | null; level: number }

export type TreeRow = Place &
  /** Open, its content has come, failed or, with `isLoading`, is on its way; `isLate` says so. */
  (
    | { kind: 'group'; group: GroupRow; isOpen: boolean; isLoading: boolean; isLate: boolean; path: GroupPath }
    | { kind: 'line'; line: LineRow }
    | { kind: 'failed'; text: string; reference: string | null }
    | { kind: 'more'; more: number }
  )

/**
 * Whether two rows of the same id show the same. The rows are made anew with each change of the
 * tree; what was loaded stays the same object.
 */
export function isSameRow(one: TreeRow, other: TreeRow): boolean {
  if (one === other) return true
  if (one.kind === 'group' && other.kind === 'group')
    return (
      one.group === other.group &&
      one.isOpen === other.isOpen &&
      one.isLate === other.isLate &&
      one.level === other.level
    )
  if (one.kind === 'line' && other.kind === 'line') return one.line === other.line && one.level === other.level
  return false
}

/**
 * A group's id in the tree: the path of its values. JSON keeps the unknown one (null) apart from an
 * empty text.
 */
export function toGroupId(parentId: string | null, value: string | null): string {
  return `${parentId ?? ''}/${JSON.stringify(value)}`
}

/** Null is the unknown group. */
export function groupValue(group: GroupRow): string | null {
  return group.values[0]?.value ?? null
}

/**
 * The rows on screen, top to bottom, from the open groups and the content loaded so far. A group
 * whose content is on its way says so itself: a row for it would move all rows below it twice.
 */
export function flattenTree(groups: GroupRow[], open: ReadonlySet<string>, branches: Branches) {
  const rows: TreeRow[] = []
  const visit = (list: GroupRow[], level: number, parentId: string | null, around: GroupPath) => {
    for (const group of list) {
      const id = toGroupId(parentId, groupValue(group))
      const path = [...around, group]
      const isOpen = open.has(id)
      const branch: Branch = branches.get(id) ?? { status: 'loading', isLate: false }
      const isLoading = isOpen && branch.status === 'loading'
      const isLate = isLoading && branch.isLate
      rows.push({ kind: 'group', id, parentId, level, group, isOpen, isLoading, isLate, path })
      if (!isOpen) continue
      const place = { parentId: id, level: level + 1 }
      switch (branch.status) {
        case 'failed':
          rows.push({ kind: 'failed', id: `${id} failed`, ...place, text: branch.text, reference: branch.reference })
          break
        case 'groups':
          visit(branch.rows, level + 1, id, path)
          break
        case 'lines':
          for (const line of branch.rows)
            rows.push({ kind: 'line', id: `${id}/line ${line.connectionId}~${line.id}`, ...place, line })
      }
      if ((branch.status === 'groups' || branch.status === 'lines') && branch.more > 0)
        rows.push({ kind: 'more', id: `${id} more`, ...place, more: branch.more })
    }
  }
  visit(groups, 1, null, [])
  return rows
}
