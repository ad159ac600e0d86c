/** The peer of `bench -- ui`: a bare page with the same rows in AG Grid Community. */
import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community'
import type { PeerRows } from '../ui/peers.ts'

ModuleRegistry.registerModules([AllCommunityModule])
const { columns, rows } = (await (await fetch('/rows.json')).json()) as PeerRows
const place = document.body.appendChild(document.createElement('main'))
place.style.height = '90vh'
createGrid(place, {
  columnDefs: columns.map((field) => ({ field })),
  rowData: rows,
  getRowId: ({ data }) => data.id ?? '',
})
