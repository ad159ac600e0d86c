/**
 * SQL and row types from the tables of fields (lib/reconcile/records.ts): no field is named twice.
 */
import type { Place, RecordField, ShownField, ValueOf } from '#lib/reconcile/records.ts'
import type { StagedColumn } from '../sql/staged-rows.ts'

/** A row with the fields that are shown in these places. */
export type RowOf<Fields extends Record<string, ShownField>, In extends Place> = {
  [Name in keyof Fields as Fields[Name]['in'] extends In ? Name : never]: ValueOf<Fields[Name]>
}

type FileTexts = { boolean: 'true' | 'false'; 'text[]': string }
type FileValue<Field extends RecordField> = Field['type'] extends keyof FileTexts
  ? FileTexts[Field['type']] | (Field extends { isOptional: true } ? null : never)
  : ValueOf<Field>

/** A row as exported: all fields, each value as text. */
export type FileRowOf<Fields extends Record<string, RecordField>> = { [Name in keyof Fields]: FileValue<Fields[Name]> }

/** The fields as columns of COPY, in order; `take` returns a getter for a field of a record. */
export function toStagedColumns<Name extends string, Item>(
  fields: { [Each in Name]: RecordField },
  take: (name: Name) => (item: Item) => unknown,
): StagedColumn<Item>[] {
  return listFields(fields).map(([name, { column, type }]) => ({ name: column, type, value: take(name) }))
}

/**
 * A select list of the fields shown in one place, typed as `RowOf`. `alias` is the table's in the
 * query.
 */
export function toSelectList<Name extends string>(
  alias: string,
  fields: { [Each in Name]: ShownField },
  place: Place,
): string {
  const shown = listFields(fields).filter(([, field]) => field.in === place)
  return toNamedList(
    alias,
    fields,
    shown.map(([name]) => name),
  )
}

/** The same of the fields with these names. */
export function toNamedList<Name extends string>(
  alias: string,
  fields: { [Each in Name]: RecordField },
  names: readonly Name[],
): string {
  return names.map((name) => `${toRowValue(`${alias}.${fields[name].column}`, fields[name])} as "${name}"`).join(', ')
}

/**
 * SQL for each field's value, which arrives as the text of `FileRowOf`: amounts and days need no
 * cast, which costs more than the value. The database joins text lists: faster than reading them.
 */
export function toFileValues<Name extends string>(
  alias: string,
  fields: { [Each in Name]: RecordField },
): Record<Name, string> {
  const values = listFields(fields).map(([name, field]) => [name, toFileValue(`${alias}.${field.column}`, field)])
  return Object.fromEntries(values)
}

function toRowValue(column: string, { type }: RecordField): string {
  return type === 'numeric' || type === 'date' ? `${column}::text` : column
}

function toFileValue(column: string, field: RecordField): string {
  if (field.type === 'text[]') return `array_to_string(${column}, '${field.separator ?? '; '}')`
  return field.type === 'boolean' ? `${column}::text` : column
}

function listFields<Name extends string, Field>(fields: { [Each in Name]: Field }): [Name, Field][] {
  return Object.entries(fields) as [Name, Field][]
}
