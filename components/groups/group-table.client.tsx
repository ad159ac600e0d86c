'use client'

import { type MouseEvent, memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { writeLineKey } from '#components/lines/line-key.ts'
import { focusLinePanel, LinePanel } from '#components/lines/line-panel-slot.client.tsx'
import { useOpenLine } from '#components/lines/open-line.client.tsx'
import { GRID } from '#components/primitives/grid-roles.ts'
import { toAddress } from '#components/query/address.ts'
import { type ListView, type Place, toViewAddress } from '#components/query/view-address.ts'
import { ListBody, ListFrame, ListRow } from '#components/table/list-frame.client.tsx'
import { useListKeys } from '#components/table/list-keys.client.tsx'
import { NumberedPager } from '#components/table/numbered-pager.tsx'
import { findRowIndex, useRowCursor } from '#components/table/row-cursor.client.tsx'
import { useRowMenu } from '#components/table/row-menu/use-row-menu.client.tsx'
import { SortBar } from '#components/table/sort-bar.client.tsx'
import type { GroupList } from '#lib/ledger/model.ts'
import type { GroupSortKey } from '#lib/ledger/query/group-query.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { useBranches } from './branches.client.tsx'
import { GroupCells } from './group-cells.tsx'
import { GroupHead, listGroupSorts } from './group-head.tsx'
import { keyPlural } from './group-labels.ts'
import { flattenTree, isSameRow, type TreeRow } from './group-tree.ts'
import type { GroupedLines } from './lines-address.ts'
import { useOpenGroups } from './open-groups.client.tsx'
import { type PackedGroups, unpackGroups } from './packed-groups.ts'

type GroupTableProps = {
  list: PackedGroups
  by: GroupKey[]
  lines: GroupedLines
  view: ListView<GroupSortKey>
  /** The last row, from the server: it stays while groups open. */
  foot: ReactNode
}

/** Groups as a tree. A group's content is loaded when it opens, down to the lines. */
export function GroupTable({ list: packed, by, lines, view, foot }: GroupTableProps) {
  const list = useMemo(() => unpackGroups(packed), [packed])
  const { openKey, open: openLine, close } = useOpenLine()
  const { openGroups, setOpen } = useOpenGroups()
  const { branches, load, loadMore } = useBranches(view.search)

  const rows = useMemo(() => flattenTree(list.rows, openGroups, branches), [list.rows, openGroups, branches])
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
  const menu = useRowMenu()
  const currencies = useMemo(() => list.totals.map((total) => total.currency), [list.totals])
  const frame = useMemo(() => toFrame(list, by, view, currencies), [list, by, view, currencies])

  // groups opened by a link or by Back
  useEffect(() => {
    for (const row of rows)
      if (row.kind === 'group' && row.isOpen && !branches.has(row.id)) load({ id: row.id, path: row.path })
  })

  const openRow = rows.find((row) => row.kind === 'line' && writeLineKey(row.line) === openKey)
  const toggle = (row: TreeRow & { kind: 'group' }) => {
    // reloads after a failure
    if (!row.isOpen) load({ id: row.id, path: row.path })
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
      const wish = { id: parent.id, path: parent.path }
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
    menu: () => {
      const [row, element] = [rows[findCurrent()], body.current?.rows[findCurrent()]]
      if (row === undefined) return
      const own = { act: () => act(row), isOpen: row.kind === 'group' && row.isOpen }
      menu.open(element, async () => (await import('./group-menu.ts')).listGroupVerbs(row, lines, own))
    },
    expand: () => {
      const row = rows[findCurrent()]
      if (row?.kind !== 'group') return
      if (!row.isOpen) toggle(row)
      else if (!row.isLoading) cursor.goTo(findCurrent() + 1)
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
    const isLink = event.target instanceof Element && event.target.closest('a') !== null
    if (row === undefined || isLink || window.getSelection()?.isCollapsed === false) return
    cursor.setCurrent(row.id)
    act(row)
  }

  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <ListFrame
        label="Groups"
        roles={GRID.tree}
        address={toAddress('/groups', view.search)}
        isComplete={rows.every((row) => row.kind !== 'group' || !row.isLoading)}
        className="border-t"
        sortBar={frame.sortBar}
        foot={frame.pager}
      >
        {frame.head}
        <ListBody ref={body} onFocus={cursor.onFocus} onClick={onRowClick}>
          {rows.map((row) => (
            <DrawnRow
              key={row.id}
              row={row}
              currencies={currencies}
              lines={lines}
              isMarked={row.kind === 'line' && openKey !== null && writeLineKey(row.line) === openKey}
            />
          ))}
        </ListBody>
        {foot}
      </ListFrame>
      {menu.slot}
      <LinePanel openKey={openKey} row={openRow?.kind === 'line' ? openRow.line : null} onClose={close} />
    </div>
  )
}

/** What surrounds the rows. Made once for a list: opening a group draws none of it again. */
function toFrame(list: GroupList, by: GroupKey[], view: ListView<GroupSortKey>, currencies: string[]) {
  const address = (place: Place<GroupSortKey>) => toViewAddress('/groups', view, place)
  const sortAddress = (sort: Sort<GroupSortKey>) => address({ sort })
  return {
    sortBar: <SortBar choices={listGroupSorts(by, currencies)} sort={view.sort} toAddress={sortAddress} />,
    head: <GroupHead by={by} sort={view.sort} currencies={currencies} toAddress={sortAddress} />,
    pager: list.pageCount > 1 && (
      <NumberedPager
        page={list.page}
        pageCount={list.pageCount}
        pageSize={view.pageSize}
        rowCount={list.groupCount}
        noun={keyPlural(by[0] ?? 'trip')[1]}
        toAddress={(page) => address({ page })}
      />
    ),
  }
}

type DrawnRowProps = { row: TreeRow; currencies: string[]; lines: GroupedLines; isMarked: boolean }

/** Drawn again only when its own content, place or state changes. */
const DrawnRow = memo(
  function DrawnRow({ row, currencies, lines, isMarked }: DrawnRowProps) {
    return (
      <ListRow
        aria-level={row.level}
        aria-expanded={row.kind === 'group' ? row.isOpen : undefined}
        aria-busy={(row.kind === 'group' && row.isLate) || undefined}
        tabIndex={-1}
        isMarked={isMarked}
        className="group-row"
      >
        <GroupCells row={row} currencies={currencies} lines={lines} />
      </ListRow>
    )
  },
  (before, after) =>
    isSameRow(before.row, after.row) &&
    before.currencies === after.currencies &&
    before.lines === after.lines &&
    before.isMarked === after.isMarked,
)
