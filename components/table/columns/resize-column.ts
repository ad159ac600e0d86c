/** Drags a column to another width. Loads after the page. */
import type { RowData } from '@tanstack/react-table'
import type { ListColumn } from '#components/table/table-features.ts'
import { toWidth } from '#lib/ledger/query/list-columns.ts'

/** Follows the pointer from the handle until it lets go: then the width is the column's. */
export function resizeColumn<Row extends RowData>(
  column: ListColumn<Row>,
  handle: HTMLElement,
  { pointerId, clientX: from }: { pointerId: number; clientX: number },
): void {
  const head = handle.closest('th')
  if (head === null) return
  const before = head.getBoundingClientRect().width
  const toNow = (at: number) => toWidth(before + at - from)
  handle.setPointerCapture(pointerId)
  // the table is not drawn again before the width is settled
  handle.onpointermove = ({ clientX }) => {
    const width = toNow(clientX)
    handle.dataset.width = `${width} px`
    Object.assign(head.style, { width: `${width}px`, minWidth: `${width}px`, maxWidth: `${width}px` })
  }
  handle.onlostpointercapture = (event) => {
    handle.onpointermove = null
    handle.onlostpointercapture = null
    const width = toNow((event as PointerEvent).clientX)
    const isMoved = handle.dataset.width !== undefined
    delete handle.dataset.width
    if (isMoved) column.table.setColumnSizing((sizes) => ({ ...sizes, [column.id]: width }))
  }
}
