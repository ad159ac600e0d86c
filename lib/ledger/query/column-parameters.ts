/** What a list's address says of its looks. */
import { type ChosenColumn, DENSITIES, readColumns, writeColumns } from './list-columns.ts'
import { oneOf, type Parameter } from './list-query.ts'
import { readValues } from './search-params.ts'

/** The columns in their order; none: the list's own. */
export function columnsOf<Name extends string>(known: readonly Name[]): Parameter<ChosenColumn<Name>[]> {
  return {
    empty: [],
    read: (raw) => readColumns(readValues(raw, 'columns').join(), known),
    write: (columns) => writeColumns(columns).map((value) => ['columns', value]),
    narrows: false,
  }
}

/** How tall the rows are. */
export const DENSITY = oneOf('density', DENSITIES)
