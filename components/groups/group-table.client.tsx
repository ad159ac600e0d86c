'use client'

import { type MouseEvent, memo, useEffect, useMemo, useRef } from 'react'
import { writeLineKey } from '#components/lines/line-key.ts'
import { focusLinePanel, LinePanel } from '#components/lines/line-panel-slot.client.tsx'
import { useOpenLine } from '#components/lines/open-line.client.tsx'
import { GRID } from '#components/primitives/grid-roles.ts'
import { readListQuery, toListAddress } from '#components/query/list-address.ts'
import { ListBody, ListFrame, ListRow } from '#components/table/list-frame.client.tsx'
import { useListKeys } from '#components/table/list-keys.client.tsx'
import { NumberedPager } from '#components/table/pager.tsx'
import { findRowIndex, useRowCursor } from '#components/table/row-cursor.client.tsx'
import { SortBar } from '#components/table/sort-bar.client.tsx'
import type { GroupQuery } from '#lib/ledger/query/group-query.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { useBranches } from './branches.client.tsx'
import { GroupCells } from './group-cells.tsx'
import { GroupFoot, GroupHead, listGroupSorts } from './group-head.tsx'
import { keyPlural } from './group-labels.ts'
import { flattenTree, isSameRow, type TreeRow } from './group-tree.ts'
import { useOpenGroups } from './open-groups.client.tsx'
import { type PackedGroups, unpackGroups } from './packed-groups.ts'

/** Groups as a tree. A group's content is loaded when it opens, down to the lines. */
export function GroupTable({ list: packed, search }: { list: PackedGroups; search: string }) {
  const { query } = useMemo(() => readListQuery('groups', search), [search])
  const list = useMemo(() => unpackGroups(packed), [packed])
  const address = (change: Partial<GroupQuery>) => toListAddress({ list: 'groups', query: { ...query, ...change } })
  const { openKey, open: openLine, close } = useOpenLine()
  const { openGroups, setOpen } = useOpenGroups()
  const { branches, load, loadMore } = useBranches()

  const rows = useMemo(
    () => flattenTree(list.rows, query, openGroups, branches),
    [list.rows, query, openGroups, branches],
  )
  const body = useRef<HTMLTableSectionElement>(null)
  const cursor = useRowCursor(
    body,
    rows.map((row) => row.id),
    {
      onArrive: (index) => {
        const row = rows[index]
        if (openKey !== null && row?.kind === 'line') openLine(row.line)
      },
    },
  )
  const findCurrent = () => Math.max(cursor.current(), 0)
  const currencies = useMemo(() => list.totals.map((total) => total.currency), [list.totals])
  const [one, many] = keyPlural(query.by[0] ?? 'trip')
  const sortAddress = (sort: Sort<GroupQuery['sort']['key']>) => address({ sort, page: 1 })

  // groups opened by a link or by Back
  useEffect(() => {
    for (const row of rows)
      if (row.kind === 'group' && row.isOpen && !branches.has(row.id))
        load({ id: row.id, group: row.group, query: row.query })
  })

  const openRow = rows.find((row) => row.kind === 'line' && writeLineKey(row.line) === openKey)
  const toggle = (row: TreeRow & { kind: 'group' }) => {
    // reloads after a failure
    if (!row.isOpen) load({ id: row.id, group: row.group, query: row.query })
    setOpen(row.id, !row.isOpen)
  }
  const act = (row: TreeRow) => {
    if (row.kind === 'group') toggle(row)
    else if (row.kind === 'line') {
      if (openKey === writeLineKey(row.line)) focusLinePanel()
      else openLine(row.line)
    } else if (row.kind === 'more' || row.kind === 'failed') {
      const parent = rows.find((other) => other.id === row.parentId)
      if (parent?.kind !== 'group') return
      const wish = { id: parent.id, group: parent.group, query: parent.query }
      if (row.kind === 'more') loadMore(wish)
      else load(wish)
    }
  }

  useListKeys({
    ...cursor.keys,
    open: () => {
      const row = rows[findCurrent()]
      if (row) act(row)
    },
    expand: () => {
      const row = rows[findCurrent()]
      if (row?.kind !== 'group') return
      if (row.isOpen) cursor.goTo(findCurrent() + 1)
      else toggle(row)
    },
    collapse: () => {
      const row = rows[findCurrent()]
      if (!row) return
      if (row.kind === 'group' && row.isOpen) toggle(row)
      else cursor.goTo(rows.findIndex((other) => other.id === row.parentId))
    },
    escape: () => {
      if (openKey === null) return
      close()
      cursor.focus()
    },
  })

  const onRowClick = (event: MouseEvent) => {
    const row = rows[findRowIndex(event.target)]
    if (row === undefined || window.getSelection()?.isCollapsed === false) return
    cursor.setCurrent(row.id)
    act(row)
  }

  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <ListFrame
        label="Groups"
        roles={GRID.tree}
        address={address({})}
        isComplete={rows.every((row) => row.kind !== 'loading')}
        className="border-t"
        sortBar={<SortBar choices={listGroupSorts(query, currencies)} sort={query.sort} toAddress={sortAddress} />}
        foot={
          list.pageCount > 1 && (
            <NumberedPager
              page={list.page}
              pageCount={list.pageCount}
              pageSize={query.pageSize}
              rowCount={list.groupCount}
              noun={many}
              toAddress={(page) => address({ page })}
            />
          )
        }
      >
        <GroupHead by={query.by} sort={query.sort} currencies={currencies} toAddress={sortAddress} />
        <ListBody ref={body} onFocus={cursor.onFocus} onClick={onRowClick}>
          {rows.map((row) => (
            <DrawnRow
              key={row.id}
              row={row}
              currencies={currencies}
              isMarked={row.kind === 'line' && openKey !== null && writeLineKey(row.line) === openKey}
            />
          ))}
        </ListBody>
        <GroupFoot list={list} noun={list.groupCount === 1 ? one : many} />
      </ListFrame>
      <LinePanel openKey={openKey} row={openRow?.kind === 'line' ? openRow.line : null} onClose={close} />
    </div>
  )
}

type DrawnRowProps = { row: TreeRow; currencies: string[]; isMarked: boolean }

/** Drawn again only when its own content, place or state changes. */
const DrawnRow = memo(
  function DrawnRow({ row, currencies, isMarked }: DrawnRowProps) {
    return (
      <ListRow
        aria-level={row.level}
        aria-expanded={row.kind === 'group' ? row.isOpen : undefined}
        tabIndex={-1}
        isMarked={isMarked}
        className="group-row"
      >
        <GroupCells row={row} currencies={currencies} />
      </ListRow>
    )
  },
  (before, after) =>
    isSameRow(before.row, after.row) && before.currencies === after.currencies && before.isMarked === after.isMarked,
)
