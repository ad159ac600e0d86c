/**
 * Roles of a table that is read row by row with the keyboard (ARIA grid and treegrid). They are
 * written out although the elements have most of them anyway: on a phone the rows are laid out as
 * boxes, and browsers then forget that it is a table.
 */
export const GRID = {
  table: { role: 'grid' },
  selectable: { role: 'grid', 'aria-multiselectable': true },
  tree: { role: 'treegrid' },
  row: { role: 'row' },
  head: { role: 'columnheader', scope: 'col' },
  cell: { role: 'gridcell' },
} as const
