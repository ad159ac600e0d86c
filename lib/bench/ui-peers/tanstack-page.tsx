/** A peer of `bench -- ui`: a bare page with the same rows in a TanStack table. */
import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  sortFns,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { PeerRows } from '../ui/peers.ts'

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns })
type Row = PeerRows['rows'][number]

function Page({ columns, rows }: PeerRows) {
  const [current, setCurrent] = useState(-1)
  const [defs] = useState(() => columns.map((id): ColumnDef<typeof features, Row> => ({ accessorKey: id, header: id })))
  const table = useTable({ features, columns: defs, data: rows })
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowDown') setCurrent((at) => at + 1)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <table>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <th key={header.id}>
                <button type="button" onClick={header.column.getToggleSortingHandler()}>
                  <table.FlexRender header={header} />
                </button>
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row, index) => (
          <tr key={row.id} aria-selected={index === current} style={index === current ? { background: '#eef' } : {}}>
            {row.getAllCells().map((cell) => (
              <td key={cell.id}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const given = (await (await fetch('/rows.json')).json()) as PeerRows
createRoot(document.body.appendChild(document.createElement('main'))).render(<Page {...given} />)
