import { toCanonicalText } from './json/canonical-text.ts'
import { parseLossless } from './json/parse.ts'
import { isJsonObject, type JsonValue, NumberText } from './json/value.ts'
import { type DecimalText, isZeroDecimal, parseDecimal, subtractDecimals } from './money.ts'

/**
 * A record's value for people: a text without quotes, anything else as JSON. `absent`: no such
 * member.
 */
export type FieldValue = {
  kind: 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object' | 'absent'
  text: string
}

/** One field that differs. `path` is the wire's: `metadata.travelers[1].name`. */
export type FieldChange = {
  path: string
  before: FieldValue
  after: FieldValue
  /** What a figure counts; null for any other text, also one of digits, such as an id. */
  unit: FigureUnit | null
  /** after - before, exactly, if both are figures. */
  difference: DecimalText | null
}

export type FigureUnit = 'amount' | 'percent' | 'number'

/** The members that are figures, in a record or in a part of one. */
const FIGURES: Readonly<Record<string, FigureUnit>> = {
  quantity: 'number',
  unit_price: 'amount',
  non_taxable_unit_price: 'amount',
  tax_percentage: 'percent',
  tax_amount: 'amount',
  total_amount: 'amount',
  subtotal: 'amount',
  total: 'amount',
  credit_used_for_customer_payment: 'amount',
}

/**
 * The differences between two versions of a record, field by field, in the newer version's order,
 * removed fields last. Key order and white space do not count; the digits of numbers do. An added
 * or removed object counts as one field.
 * @throws JsonError when a text is not JSON.
 */
export function diffRecords(before: string, after: string): FieldChange[] {
  const changes: FieldChange[] = []
  compare('', parseLossless(before), parseLossless(after), changes)
  return changes
}

/** Whether a figure is only written differently, as `20` and `20.00`: nothing has changed. */
export function isSameFigure({ difference }: FieldChange): boolean {
  return difference !== null && isZeroDecimal(difference)
}

/**
 * The money effect of a change: after - before, exactly. Null if the currency changed: nothing is
 * subtracted across currencies.
 */
export function toMoneyEffect(
  before: { currency: string; amount: DecimalText },
  after: { currency: string; amount: DecimalText },
): { currency: string; difference: DecimalText } | null {
  if (before.currency !== after.currency) return null
  return { currency: after.currency, difference: subtractDecimals(after.amount, before.amount) }
}

function compare(path: string, before: JsonValue, after: JsonValue, changes: FieldChange[]): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const [key, member] of Object.entries(after)) {
      const memberPath = joinPath(path, key)
      if (Object.hasOwn(before, key)) compare(memberPath, before[key] as JsonValue, member, changes)
      else changes.push(toChange(memberPath, undefined, member))
    }
    for (const [key, member] of Object.entries(before))
      if (!Object.hasOwn(after, key)) changes.push(toChange(joinPath(path, key), member, undefined))
    return
  }
  if (Array.isArray(before) && Array.isArray(after)) compareLists(path, before, after, changes)
  else if (toCanonicalText(before) !== toCanonicalText(after)) changes.push(toChange(path, before, after))
}

/** Keeps what both lists share at the start and the end; compares the rest in order. */
function compareLists(path: string, before: JsonValue[], after: JsonValue[], changes: FieldChange[]): void {
  const [was, is] = [before.map(toCanonicalText), after.map(toCanonicalText)]
  const shorter = Math.min(was.length, is.length)
  let start = 0
  while (start < shorter && was[start] === is[start]) start++
  let end = 0
  while (end < shorter - start && was[was.length - 1 - end] === is[is.length - 1 - end]) end++
  const middle = Math.max(was.length, is.length) - end
  for (let index = start; index < middle; index++) {
    const left = index < was.length - end ? before[index] : undefined
    const right = index < is.length - end ? after[index] : undefined
    const elementPath = `${path}[${index}]`
    if (left !== undefined && right !== undefined) compare(elementPath, left, right, changes)
    else changes.push(toChange(elementPath, left, right))
  }
}

/** Undefined: no such member or element. */
type Side = JsonValue | undefined

function toChange(path: string, before: Side, after: Side): FieldChange {
  const unit = toUnit(path)
  const isNumber = before instanceof NumberText && after instanceof NumberText
  const [left, right] = unit !== null || isNumber ? [toFigure(before), toFigure(after)] : [null, null]
  const difference = left === null || right === null ? null : subtractDecimals(right, left)
  return { path, before: toValue(before), after: toValue(after), unit, difference }
}

/** An invoice counts its lines in `lines.total`. */
function toUnit(path: string): FigureUnit | null {
  if (path === 'lines.total') return 'number'
  const member = path.slice(path.lastIndexOf('.') + 1)
  return Object.hasOwn(FIGURES, member) ? (FIGURES[member] as FigureUnit) : null
}

function toValue(value: Side): FieldValue {
  if (value === undefined) return { kind: 'absent', text: '' }
  return { kind: kindOf(value), text: typeof value === 'string' ? value : toCanonicalText(value) }
}

function kindOf(value: JsonValue): FieldValue['kind'] {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return 'text'
  if (value instanceof NumberText) return 'number'
  return Array.isArray(value) ? 'list' : 'object'
}

function toFigure(value: Side): DecimalText | null {
  const text = value instanceof NumberText ? value.numberText : value
  return typeof text === 'string' ? parseDecimal(text) : null
}

/** Quotes a key that could be mistaken for a path. */
function joinPath(path: string, key: string): string {
  const step = /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
  return path === '' ? step : `${path}.${step}`
}
