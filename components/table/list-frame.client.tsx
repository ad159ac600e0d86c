'use client'

import { type ComponentProps, type ReactNode, useRef } from 'react'
import { classNames } from '#components/class-names.ts'
import type { GRID } from '#components/primitives/grid-roles.ts'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { useKeptScroll } from '#components/query/kept-scroll.client.tsx'

type ListFrameProps = {
  label: string
  roles: typeof GRID.table | typeof GRID.selectable | typeof GRID.tree
  /** How many rows there are in all, on every page; unknown for a tree. */
  rowCount?: number
  /** The list's address: each keeps its own place. */
  address: string
  /** Whether the rows are there that the kept place belongs to. */
  isComplete?: boolean
  /** How to sort on a phone, where the columns' names are not on screen. */
  sortBar: ReactNode
  children: ReactNode
  foot: ReactNode
  className?: string
}

/**
 * What every list has around its rows: a box that scrolls and keeps its place, the table with its
 * roles, a foot. It stands in a row.
 */
export function ListFrame(props: ListFrameProps) {
  const { label, roles, rowCount, address, isComplete = true, sortBar, children, foot, className } = props
  const scroller = useRef<HTMLElement>(null)
  useKeptScroll(scroller, address, isComplete)
  return (
    <div className={classNames('@container flex min-h-0 min-w-0 flex-1 flex-col', className)}>
      {sortBar}
      <ScrollBox
        ref={scroller}
        label={label}
        className="list-body min-h-0 flex-1 overflow-auto -outline-offset-2 max-md:overflow-visible"
      >
        <table
          {...roles}
          aria-label={label}
          aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
          className="w-full border-separate border-spacing-0 text-[13px] max-md:block"
        >
          {children}
        </table>
      </ScrollBox>
      {foot && (
        <footer className="flex min-h-9 shrink-0 flex-wrap items-center justify-end gap-x-4 gap-y-1 border-t bg-panel px-5 py-1 max-md:px-4 print:hidden">
          {foot}
        </footer>
      )}
    </div>
  )
}

type ListRowProps = ComponentProps<'tr'> & {
  /** Selected, or open in the panel. */
  isMarked?: boolean
}

/** A row of a list; how it lays out its cells on a phone is the list's own. */
export function ListRow({ isMarked = false, className, ...rest }: ListRowProps) {
  return (
    <tr
      data-row
      className={classNames(
        'group scroll-my-10 -outline-offset-2 focus-visible:-outline-offset-2 max-md:items-center max-md:border-b',
        isMarked ? 'bg-sel' : 'hover:bg-hover',
        className,
      )}
      {...rest}
    />
  )
}
