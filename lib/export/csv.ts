/**
 * RFC 4180, hand-written to be type-aware: a refund stays a number, but a formula in a text does
 * not stay a formula.
 */
import type { Day } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

/**
 * What a column holds. Only `text` comes from outside word for word and is guarded; this program
 * writes the others (amounts and days in one notation, counts, codes from its own lists). A value's
 * type decides where it has one; for other texts the column's author does.
 */
type KindOf<Value> = Value extends DecimalText ? 'amount' : Value extends Day ? 'day' : 'text' | 'count' | 'code'
export type CsvKind = KindOf<DecimalText> | KindOf<Day> | KindOf<string>

/**
 * One column of a file: its header, its kind, and the row's field. Null is an empty cell: unknown.
 */
export type CsvColumn<Row> = {
  [Field in keyof Row & string]: { name: string; kind: KindOf<NonNullable<Row[Field]>>; field: Field }
}[keyof Row & string]

/**
 * Where a spreadsheet starts a formula: = + - @ and their full-width forms, even after white space
 * or invisible characters, and a leading tab or line break.
 */
const PLAIN_START = /^[0-9A-Za-z]/
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u
/** Spreadsheets split at semicolons and tabs too, unless told otherwise. */
const NEEDS_QUOTES = /[",;\t\r\n]/
/** No plain start, or quotes needed. */
const NEEDS_CARE = /^[^0-9A-Za-z]|[",;\t\r\n]/

/** Prefixes a text that would start a formula with an apostrophe: no spreadsheet runs it. */
export function guardFormula(text: string): string {
  return !PLAIN_START.test(text) && FORMULA_START.test(text) ? `'${text}` : text
}

/** One cell, quoted only if it holds a quote, a line break or a possible separator. */
export function toCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell of a text that comes from outside. */
export function toTextCell(text: string): string {
  return needsCare(text) ? toCell(guardFormula(text)) : text
}

/** Whether a text from outside may need a guard or quotes. Most need neither: one look tells. */
export function needsCare(text: string): boolean {
  return NEEDS_CARE.test(text)
}

/** The header line, with its line end. */
export function toHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `${columns.map(({ name }) => toCell(name)).join(',')}\r\n`
}

/**
 * What a file is written with: its first line, empty where a row is that, and the bytes of a batch
 * of rows, with their line ends.
 */
export type CsvWriter<Batch> = {
  header: string
  toBytes: (rows: Batch) => Uint8Array
  countRows: (rows: Batch) => number
}

/** Writes rows whose cells are fields. */
export function createCsvWriter<Row>(columns: readonly CsvColumn<Row>[]): CsvWriter<Row[]> {
  const encoder = new TextEncoder()
  return {
    header: toHeader(columns),
    toBytes: (rows) => encoder.encode(rows.map((row) => toRow(columns, row)).join('')),
    countRows: (rows) => rows.length,
  }
}

/** One row, with its line end. */
export function toRow<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  const cells = columns.map(({ kind, field }) => {
    const text = row[field] as string | null
    if (text === null) return ''
    return kind === 'text' ? toTextCell(text) : toCell(text)
  })
  return `${cells.join(',')}\r\n`
}
