'use client'

import { type RowData, useTable } from '@tanstack/react-table'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import type { Opened } from '#components/primitives/opener.client.tsx'
import { PopoverBox } from '#components/primitives/popover-box.client.tsx'
import { toAddress } from '#components/query/address.ts'
import { useNavigate } from '#components/query/navigate.client.tsx'
import { toName } from '#components/table/list-head.client.tsx'
import { type Columns, FEATURES, type ListColumn } from '#components/table/table-features.ts'
import { DENSITIES, type Density, toWidth, withDensity } from '#lib/ledger/query/list-columns.ts'
import { ColumnItem, type ColumnMove } from './column-item.client.tsx'
import type { ColumnsChoice } from './column-state.ts'
import { useListColumns } from './use-list-columns.client.tsx'

type ColumnsBoxProps<Row extends RowData> = Opened & ColumnsChoice & { columns: Columns<Row> }

const WIDTH = 296
const WIDTH_STEP = 16
const NO_ROWS: never[] = []

/** What the Columns button opens. Each change goes into the address at once. */
export function ColumnsBox<Row extends RowData>({ columns, chosen, density, ...opened }: ColumnsBoxProps<Row>) {
  return (
    <PopoverBox {...opened} role="dialog" label="Columns" width={WIDTH}>
      <ColumnsEditor columns={columns} chosen={chosen} density={density} />
    </PopoverBox>
  )
}

/** A table without rows: its columns are those of the list. */
function ColumnsEditor<Row extends RowData>({ columns, chosen, density }: ColumnsChoice & { columns: Columns<Row> }) {
  const { state, changes, setChosen } = useListColumns(columns, chosen)
  const table = useTable({ features: FEATURES, columns, data: NO_ROWS as Row[], state, ...changes })
  const [sought, setSought] = useState('')
  const [said, setSaid] = useState('')
  const ownId = useId()
  const focused = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (focused.current !== null) document.getElementById(focused.current)?.focus()
    focused.current = null
  })
  const all = table.getAllLeafColumns().filter(({ columnDef }) => columnDef.meta?.isFixed !== true)
  const found = all.filter((column) => toName(column).toLowerCase().includes(sought.trim().toLowerCase()))
  const pinned = table.getStartVisibleLeafColumns().filter((column) => found.includes(column))
  const shown = table.getCenterVisibleLeafColumns().filter((column) => found.includes(column))
  const order = [...table.getStartVisibleLeafColumns(), ...table.getCenterVisibleLeafColumns()].map(({ id }) => id)

  const place = (id: string, next: number) => {
    const others = order.filter((each) => each !== id)
    const at = Math.min(Math.max(next, 0), others.length)
    table.setColumnOrder(others.toSpliced(at, 0, id))
    setSaid(`${nameOf(all, id)} is column ${at + 1} of ${order.length}.`)
  }
  const move = (column: ListColumn<Row>, how: ColumnMove) => {
    const at = order.indexOf(column.id)
    if (how === 'up' || how === 'down') return place(column.id, at + (how === 'up' ? -1 : 1))
    const width = toWidth(column.getSize() + (how === 'wider' ? WIDTH_STEP : -WIDTH_STEP))
    table.setColumnSizing((sizes) => ({ ...sizes, [column.id]: width }))
    setSaid(`${toName(column)} is ${width} pixels wide.`)
  }
  const parts = [
    { title: 'Pinned', columns: pinned },
    { title: 'Shown', columns: shown },
    { title: 'Hidden', columns: found.filter((column) => !column.getIsVisible()) },
  ]
  return (
    <div className="columns-box">
      <input
        type="search"
        aria-label="Find a column"
        placeholder="Find a column"
        value={sought}
        onChange={(event) => setSought(event.target.value)}
        className="columns-search"
      />
      <div className="columns-list">
        {parts.map(
          ({ title, columns: some }) =>
            some.length > 0 && (
              <fieldset key={title}>
                <legend>
                  {title} <span>{some.length}</span>
                </legend>
                {some.map((column) => (
                  <ColumnItem
                    key={column.id}
                    column={column}
                    onMove={(how) => move(column, how)}
                    onDrop={(id) => place(id, order.indexOf(column.id))}
                    toId={(part) => `${ownId}${column.id}-${part}`}
                    keepFocus={(part) => {
                      focused.current = `${ownId}${column.id}-${part}`
                    }}
                  />
                ))}
              </fieldset>
            ),
        )}
      </div>
      <p className="columns-keys">Drag, or Alt with ↑ ↓ to move and ← → for the width.</p>
      <DensityChoice density={density} />
      <footer>
        <span>
          {order.filter((id) => all.some((column) => column.id === id)).length} of {all.length} shown
        </span>
        <button type="button" onClick={() => setChosen([])} className={buttonClass({ look: 'quiet', size: 'small' })}>
          Reset
        </button>
      </footer>
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  )
}

const DENSITY_NAMES: Record<Density, string> = { compact: 'Compact', comfortable: 'Comfortable' }

function DensityChoice({ density }: { density: Density }) {
  const { navigate } = useNavigate()
  const name = useId()
  const choose = (next: Density) => {
    const { pathname, search } = window.location
    navigate(toAddress(pathname, withDensity(search, next) || 'columns='), 'replace')
  }
  return (
    <fieldset className="density">
      <legend className="sr-only">Row height</legend>
      {DENSITIES.map((each) => (
        <label key={each}>
          <input type="radio" name={name} defaultChecked={each === density} onChange={() => choose(each)} />
          {DENSITY_NAMES[each]}
        </label>
      ))}
    </fieldset>
  )
}

function nameOf<Row extends RowData>(columns: ListColumn<Row>[], id: string): string {
  const column = columns.find((each) => each.id === id)
  return column === undefined ? id : toName(column)
}
