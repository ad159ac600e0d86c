'use client'

import type { RowData, Table } from '@tanstack/react-table'
import { useSight } from './list-rows.client.tsx'
import type { Features, TableMeta } from './table-features.ts'

/** Selects the rows in sight, or takes them back. Some of them: neither checked nor not. */
export function SightBox<Row extends RowData>({ table }: { table: Table<Features, Row> }) {
  const { meta } = table.options
  if (meta === undefined || table.options.enableRowSelection === false) return <span className="sr-only">Mark</span>
  return <Box table={table} meta={meta} />
}

function Box<Row extends RowData>({ table, meta }: { table: Table<Features, Row>; meta: TableMeta }) {
  const keys = meta.keysInSight(useSight(meta))
  const selection = table.atoms.rowSelection.get()
  const count = keys.filter((key) => selection[key] === true).length
  const isAll = count === keys.length && count > 0
  return (
    <input
      type="checkbox"
      aria-label="Select the rows in sight"
      title="Select the rows in sight"
      className="select-box"
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && !isAll
      }}
      onChange={() => {
        table.setRowSelection((before) => {
          const others = Object.entries(before).filter(([key]) => !keys.includes(key))
          const wanted = isAll ? [] : keys.map((key): [string, true] => [key, true])
          return Object.fromEntries([...others, ...wanted])
        })
      }}
    />
  )
}
