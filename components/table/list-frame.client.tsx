'use client'

import { type ComponentProps, type PointerEvent, type ReactNode, useRef } from 'react'
import { classNames } from '#components/class-names.ts'
import { type GRID, giveRoles, ROWS_ID } from '#components/primitives/grid-roles.ts'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { useKeptScroll } from '#components/query/kept-scroll.client.tsx'

type ListFrameProps = {
  label: string
  roles: typeof GRID.table | typeof GRID.selectable | typeof GRID.tree
  /** Rows on all pages; null while they are counted, undefined for a tree. */
  rowCount?: number | null
  /** Identifies the list: each keeps its own scroll position. */
  address: string
  /** Whether the rows of the saved scroll position are loaded. */
  isComplete?: boolean
  /** Sorting on a phone, where the column names are hidden. */
  sortBar: ReactNode
  children: ReactNode
  foot: ReactNode
  className?: string | undefined
}

/**
 * What surrounds every list's rows: a box that scrolls and keeps its position, the table with its
 * roles, a foot. Its parent is a flex row.
 */
export function ListFrame(props: ListFrameProps) {
  const { label, roles, rowCount, address, isComplete = true, sortBar, children, foot, className } = props
  const scroller = useRef<HTMLElement>(null)
  useKeptScroll(scroller, address, isComplete)
  return (
    <div className={classNames('list-frame', className)}>
      {sortBar}
      <ScrollBox
        ref={scroller}
        label={label}
        // the rows' own place decides, not what the browser finds to hold on to
        className="list-body list-box"
      >
        <table
          {...roles}
          id={ROWS_ID}
          tabIndex={-1}
          aria-label={label}
          aria-rowcount={rowCount === undefined ? undefined : rowCount === null ? -1 : rowCount + 1}
          onPointerOver={showWhole}
          className="list-grid"
        >
          {children}
        </table>
      </ScrollBox>
      {foot && <footer className="list-foot">{foot}</footer>}
    </div>
  )
}

/** The rows of a list, with the listeners of all of them. */
export function ListBody(props: ComponentProps<'tbody'>) {
  return <tbody {...props} className="max-md:block" />
}

type ListRowProps = ComponentProps<'tr'> & {
  /** Selected, or open in the panel. */
  isMarked?: boolean
}

/**
 * A row of a list. Each list has its cells' looks by the names of their columns, and lays them out
 * on a phone itself (app/lists.css).
 */
export function ListRow({ isMarked = false, className, ...rest }: ListRowProps) {
  return (
    <tr ref={giveRoles} data-row="" className={classNames('list-row', isMarked && 'is-marked', className)} {...rest} />
  )
}

/** A text that its column cuts is whole on hover: the browser writes the hint, not the server. */
function showWhole({ target }: PointerEvent): void {
  const text = target instanceof Element ? target.closest<HTMLElement>('td > bdi, td > a, .group-row bdi, .text') : null
  if (text !== null) text.title = text.scrollWidth > text.clientWidth ? text.textContent : ''
}
