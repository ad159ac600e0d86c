'use client'

import type { RowData } from '@tanstack/react-table'
import type { KeyboardEvent } from 'react'
import { Icon } from '#components/primitives/icons.tsx'
import { toName } from '#components/table/list-head.client.tsx'
import type { ListColumn } from '#components/table/table-features.ts'

/** What can be focused in an item. */
type ColumnPart = 'box' | 'pin'
export type ColumnMove = 'up' | 'down' | 'narrower' | 'wider'

const MOVES: Record<string, ColumnMove> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'narrower',
  ArrowRight: 'wider',
}
/** What is dragged is a column, not a text from elsewhere. */
const COLUMN_TYPE = 'application/x-tieout-column'

type ColumnItemProps<Row extends RowData> = {
  column: ListColumn<Row>
  onMove: (how: ColumnMove) => void
  /** Another column was dropped on this one. */
  onDrop: (id: string) => void
  /** Before a change that moves the item, from which the browser then takes the focus. */
  keepFocus: (part: ColumnPart) => void
  toId: (part: ColumnPart) => string
}

/** A column in the list of columns: shown or not, pinned or not, moved by dragging or by keys. */
export function ColumnItem<Row extends RowData>({ column, onMove, onDrop, keepFocus, toId }: ColumnItemProps<Row>) {
  const isShown = column.getIsVisible()
  const isPinned = column.getIsPinned() !== false
  const width = column.table.atoms.columnSizing.get()[column.id]
  const onKeyDown = (event: KeyboardEvent) => {
    const how = MOVES[event.key]
    if (how === undefined || !event.altKey || !isShown) return
    event.preventDefault()
    keepFocus('box')
    onMove(how)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it holds is operated by keys, too
    <div
      className="column-item"
      draggable={isShown}
      onKeyDown={onKeyDown}
      onDragStart={(event) => event.dataTransfer.setData(COLUMN_TYPE, column.id)}
      onDragOver={(event) => {
        if (isShown && event.dataTransfer.types.includes(COLUMN_TYPE)) event.preventDefault()
      }}
      onDrop={(event) => {
        event.preventDefault()
        onDrop(event.dataTransfer.getData(COLUMN_TYPE))
      }}
    >
      <span aria-hidden className="column-grip" />
      <label>
        <input
          id={toId('box')}
          type="checkbox"
          checked={isShown}
          disabled={!column.getCanHide()}
          onChange={(event) => {
            keepFocus('box')
            column.toggleVisibility(event.target.checked)
          }}
        />
        <span>{toName(column)}</span>
      </label>
      {width !== undefined && <small>{width} px</small>}
      {isShown && (
        <button
          id={toId('pin')}
          type="button"
          aria-pressed={isPinned}
          aria-label={`Pin ${toName(column)}`}
          title={isPinned ? 'Unpin' : 'Pin: stays in sight'}
          onClick={() => {
            keepFocus('pin')
            column.pin(isPinned ? false : 'start')
          }}
        >
          <Icon size={14} d="M9 4h6l-1 7 3 3H7l3-3zM12 14v6" />
        </button>
      )}
    </div>
  )
}
