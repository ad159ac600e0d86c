import { nameField } from '#components/history/field-words.ts'

/** Kinds of what is wrong with a record, in the order in which they are listed. */
export const REJECTION_KINDS = {
  number: 'A number cannot be read',
  absent: 'A field is missing or empty',
  day: 'A date is not a day',
  currency: 'The currency is not known',
  other: 'The record cannot be read',
}
export type RejectionKind = keyof typeof REJECTION_KINDS

export type Rejection = {
  kind: RejectionKind
  /** What is wrong, in a sentence without its end. */
  wrong: string
  /** What was probably meant; null when nothing is likely. */
  fix: string | null
}

/**
 * Why a record could not be imported, in a finance person's words. The reason is the importer's
 * own: the field's path on the wire, what is wrong, and the value.
 */
export function describeRejection({ path, reason }: { path: string; reason: string }): Rejection {
  const field = path === '' ? 'The record' : capitalize(nameField({ path }))
  const said = path !== '' && reason.startsWith(`${path} `) ? reason.slice(path.length + 1) : reason
  const [, what = '', shown = ''] = /^is not (.*?): (.*)$/s.exec(said) ?? []
  const value = quoted(shown)
  if (what === 'a decimal number')
    return { kind: 'number', wrong: `${field} ${shown} is not a number`, fix: value && toNumberFix(value) }
  if (what.startsWith('a day'))
    return { kind: 'day', wrong: `${field} ${shown} is not a day`, fix: value && toDayFix(value) }
  if (what.startsWith('a currency'))
    return { kind: 'currency', wrong: `${field} ${shown} is not a currency code`, fix: null }
  if (/^is (missing|null|empty)$/.test(said))
    return { kind: 'absent', wrong: `${field} ${said === 'is null' ? 'is empty' : said}`, fix: null }
  if (path === '') return { kind: 'other', wrong: reason, fix: null }
  return { kind: 'other', wrong: `${field} ${said}`, fix: null }
}

function toNumberFix(value: string): string | null {
  if (/^-?\d+,\d+$/.test(value)) return `comma instead of point? ${value.replace(',', '.')}`
  if (/^-?\d{1,3}(\.\d{3})+,\d+$/.test(value))
    return `point and comma swapped? ${value.replaceAll('.', '').replace(',', '.')}`
  const bare = value.replace(/[^\d.-]/g, '')
  return /^-?\d+(\.\d+)?$/.test(bare) ? `more than a number? ${bare}` : null
}

function toDayFix(value: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'the calendar has no such day'
  return /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(value) ? 'not written as year-month-day?' : null
}

/** The text in quotation marks; null when it is none, or was cut. */
function quoted(shown: string): string | null {
  return /^"[^"…]*"$/.test(shown) ? shown.slice(1, -1) : null
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
