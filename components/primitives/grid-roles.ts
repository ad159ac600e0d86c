/**
 * Roles of a table read row by row with the keyboard (ARIA grid and treegrid). The table's role
 * gives rows and cells theirs, but on a phone the rows are laid out as boxes, and browsers then
 * drop them. Rows of a list get their roles in the browser (`giveRoles`): fifty rows with their
 * cells would spell them out six hundred times.
 */
export const GRID = {
  table: { role: 'grid' },
  selectable: { role: 'grid', 'aria-multiselectable': true },
  tree: { role: 'treegrid' },
  row: { role: 'row' },
  head: { role: 'columnheader', scope: 'col' },
  cell: { role: 'gridcell' },
} as const

/** A row's and its cells' roles: the `ref` of a row that is drawn without them. */
export function giveRoles(row: HTMLTableRowElement | null): void {
  row?.setAttribute('role', GRID.row.role)
  for (const cell of row?.cells ?? []) cell.setAttribute('role', GRID.cell.role)
}

/** The table of a page's list, to which its skip link leads. */
export const ROWS_ID = 'rows'
