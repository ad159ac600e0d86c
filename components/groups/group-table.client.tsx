'use client'

import { type CSSProperties, type MouseEvent, useRef, useState } from 'react'
import type { GroupQuery } from '../../lib/ledger/group-query.ts'
import type { GroupList } from '../../lib/ledger/model.ts'
import { classNames } from '../class-names.ts'
import { writeLineKey } from '../lines/line-key.ts'
import { LinePanel } from '../lines/line-panel-slot.client.tsx'
import { useListKeys } from '../lines/list-keys.client.tsx'
import { useOpenLine } from '../lines/open-line.client.tsx'
import { Pager } from '../lines/pager.tsx'
import { GRID } from '../primitives/grid-roles.ts'
import { ScrollBox } from '../primitives/scroll-box.tsx'
import { useKeptScroll } from '../query/kept-scroll.client.tsx'
import { toListAddress } from '../query/list-address.ts'
import { useBranches } from './branches.client.tsx'
import { GroupCells } from './group-cells.tsx'
import { GroupFoot, GroupHead } from './group-head.tsx'
import { keyPlural } from './group-labels.ts'
import { flattenTree, type TreeRow } from './group-tree.ts'

/** Groups as a tree: what is inside a group is asked for when it is opened, down to the lines themselves. */
export function GroupTable({ list, query }: { list: GroupList; query: GroupQuery }) {
  const address = (change: Partial<GroupQuery>) => toListAddress({ list: 'groups', query: { ...query, ...change } })
  const { openKey, open: openLine, close } = useOpenLine()
  const [openGroups, setOpenGroups] = useState<ReadonlySet<string>>(new Set())
  const [activeId, setActiveId] = useState<string | null>(null)
  const { branches, load, loadMore } = useBranches()
  const scroller = useRef<HTMLElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  useKeptScroll(scroller, address({}))

  const rows = flattenTree(list.rows, query, openGroups, branches)
  const found = rows.findIndex((row) => row.id === activeId)
  const current = Math.max(found, 0)
  const currencies = list.totals.map((total) => total.currency)
  const [one, many] = keyPlural(query.by[0] ?? 'trip')

  const focusRow = (index: number) => {
    const row = rows[index]
    if (!row) return
    setActiveId(row.id)
    body.current?.rows[index]?.focus()
    if (openKey !== null && row.kind === 'line') openLine(row.line)
  }
  const setOpen = (row: TreeRow, isOpen: boolean) => {
    if (row.kind !== 'group') return
    if (isOpen) load({ id: row.id, group: row.group, query: row.query })
    const next = new Set(openGroups)
    if (isOpen) next.add(row.id)
    else next.delete(row.id)
    setOpenGroups(next)
  }
  const act = (row: TreeRow) => {
    if (row.kind === 'group') setOpen(row, !row.isOpen)
    else if (row.kind === 'line') {
      if (openKey === writeLineKey(row.line)) document.getElementById('line-panel')?.focus()
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
    move: (step) => focusRow(found === -1 ? 0 : Math.min(Math.max(current + step, 0), rows.length - 1)),
    toEnd: (end) => focusRow(end === 'first' ? 0 : rows.length - 1),
    open: () => {
      const row = rows[current]
      if (row) act(row)
    },
    expand: () => {
      const row = rows[current]
      if (row?.kind !== 'group') return
      if (row.isOpen) focusRow(current + 1)
      else setOpen(row, true)
    },
    collapse: () => {
      const row = rows[current]
      if (!row) return
      if (row.kind === 'group' && row.isOpen) setOpen(row, false)
      else focusRow(rows.findIndex((other) => other.id === row.parentId))
    },
    escape: () => {
      if (openKey === null) return
      close()
      body.current?.rows[current]?.focus()
    },
  })

  const onRowClick = (_event: MouseEvent, row: TreeRow) => {
    if (window.getSelection()?.isCollapsed === false) return
    setActiveId(row.id)
    act(row)
  }

  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <div className="@container flex min-w-0 flex-1 flex-col border-t">
        <ScrollBox
          ref={scroller}
          label="Groups"
          className="list-body min-h-0 flex-1 overflow-auto -outline-offset-2 max-md:overflow-visible"
        >
          <table
            {...GRID.tree}
            aria-label="Groups"
            className="w-full border-separate border-spacing-0 text-[13px] max-md:block"
          >
            <GroupHead query={query} currencies={currencies} toAddress={(sort) => address({ sort, page: 1 })} />
            <tbody ref={body} className="max-md:block">
              {rows.map((row, index) => (
                <tr
                  key={row.id}
                  data-row
                  {...GRID.row}
                  aria-level={row.level}
                  style={{ '--indent': `${(row.level - 1) * 22}px` } as CSSProperties}
                  aria-expanded={row.kind === 'group' ? row.isOpen : undefined}
                  tabIndex={index === current ? 0 : -1}
                  onFocus={() => setActiveId(row.id)}
                  onClick={(event) => onRowClick(event, row)}
                  className={classNames(
                    'group scroll-my-10 -outline-offset-2 hover:bg-hover focus-visible:-outline-offset-2',
                    'max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:border-b max-md:py-2 max-md:pr-4 max-md:pl-[calc(16px+var(--indent))]',
                    row.kind === 'line' && writeLineKey(row.line) === openKey && 'bg-sel hover:bg-sel',
                  )}
                >
                  <GroupCells row={row} currencies={currencies} />
                </tr>
              ))}
            </tbody>
            <GroupFoot list={list} noun={list.groupCount === 1 ? one : many} />
          </table>
        </ScrollBox>
        {list.pageCount > 1 && (
          <footer className="flex min-h-9 shrink-0 items-center justify-end border-t bg-panel px-5 py-1 max-md:px-4 print:hidden">
            <Pager
              page={list.page}
              pageCount={list.pageCount}
              pageSize={query.pageSize}
              rowCount={list.groupCount}
              noun={many}
              toAddress={(page) => address({ page })}
            />
          </footer>
        )}
      </div>
      <LinePanel openKey={openKey} onClose={close} />
    </div>
  )
}
