/**
 * Which columns a list shows, as an address says it: `columns=*description.236,invoice,travelers`.
 * Pure; the browser uses it too.
 */
import { writePairs } from './list-place.ts'

export type ChosenColumn<Name extends string = string> = {
  name: Name
  /** Stays in sight while the others scroll sideways. */
  isPinned: boolean
  /** In pixels; null where the list decides. */
  width: number | null
}

export const COLUMN_WIDTHS = { least: 40, most: 900 }

/** A value of an address has at most 500 characters: more columns are more values. */
const COLUMNS_OF_VALUE = 16

/** How tall rows are; the first is the default. */
export const DENSITIES = ['compact', 'comfortable'] as const
export type Density = (typeof DENSITIES)[number]

/** The same list with these columns; its place stays. */
export function withColumns(search: string, columns: readonly ChosenColumn[]): string {
  const params = new URLSearchParams(search)
  params.delete('columns')
  for (const value of writeColumns(columns)) params.append('columns', value)
  return writePairs(params)
}

/** The same list with rows of this height. */
export function withDensity(search: string, density: Density): string {
  const params = new URLSearchParams(search)
  params.delete('density')
  if (density !== DENSITIES[0]) params.append('density', density)
  return writePairs(params)
}

/** What tells one list from another, whichever columns it shows. */
export function withoutColumns(search: string): string {
  return withDensity(withColumns(search, []), DENSITIES[0])
}

/** Columns from the values of an address, without unknown names and with each name once. */
export function readColumns<Name extends string>(text: string, known: readonly Name[]): ChosenColumn<Name>[] {
  const columns = text.split(',').flatMap((word): ChosenColumn<Name>[] => {
    const [, pin, given, width] = /^(\*?)(\w+)(?:\.(\d{1,4}))?$/.exec(word) ?? []
    const name = known.find((each) => each === given)
    return name === undefined ? [] : [{ name, isPinned: pin === '*', width: width ? toWidth(Number(width)) : null }]
  })
  return columns.filter(({ name }, at) => columns.findIndex((each) => each.name === name) === at)
}

/** Within what a column can have. */
export function toWidth(pixels: number): number {
  return Math.round(Math.min(Math.max(pixels, COLUMN_WIDTHS.least), COLUMN_WIDTHS.most))
}

/** The values of an address that say these columns; none for the list's own. */
export function writeColumns(columns: readonly ChosenColumn[]): string[] {
  const words = columns.map(
    ({ name, isPinned, width }) => `${isPinned ? '*' : ''}${name}${width === null ? '' : `.${width}`}`,
  )
  return Array.from({ length: Math.ceil(words.length / COLUMNS_OF_VALUE) }, (_, at) =>
    words.slice(at * COLUMNS_OF_VALUE, (at + 1) * COLUMNS_OF_VALUE).join(),
  )
}
