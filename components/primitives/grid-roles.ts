/**
 * Roles of a table read row by row with the keyboard (ARIA grid and treegrid). Most are implied by
 * the elements, but on a phone the rows are laid out as boxes, and browsers then drop the table's
 * roles.
 */
export const GRID = {
  table: { role: 'grid' },
  selectable: { role: 'grid', 'aria-multiselectable': true },
  tree: { role: 'treegrid' },
  row: { role: 'row' },
  head: { role: 'columnheader', scope: 'col' },
  cell: { role: 'gridcell' },
} as const
