import * as z from 'zod'
import { type Day, parseDay } from '#lib/reconcile/day.ts'
import { isJsonObject, NumberText } from '#lib/reconcile/json/value.ts'
import { type DecimalText, parseDecimal } from '#lib/reconcile/money.ts'

/**
 * Marks an optional value whose shape we cannot read. It never leaves `readRecord`, which turns it
 * into null and notes the path: one odd label must not cost a line its place in the totals.
 */
export const UNREADABLE = Symbol('unreadable')

const MAX_ID_CHARACTERS = 255
const MAX_KEY_CHARACTERS = 500

/**
 * The text of a text or number; null for nothing (missing, null, ''); undefined for any other
 * shape.
 */
function toText(value: unknown): string | null | undefined {
  if (typeof value === 'string') return value === '' ? null : value
  if (value === null || value === undefined) return null
  return value instanceof NumberText ? value.numberText : undefined
}

/**
 * A required value. `read` returns undefined if the text is not one; `what` completes "is not ...".
 */
function required<T>(what: string, read: (text: string) => T | undefined) {
  return z.transform((value: unknown, context): T => {
    const text = toText(value)
    const result = typeof text === 'string' ? read(text) : undefined
    if (result !== undefined) return result
    const message = text === null ? sayAbsent(value) : `is not ${what}: ${showValue(value)}`
    context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  })
}

function sayAbsent(value: unknown): string {
  return value === undefined ? 'is missing' : value === null ? 'is null' : 'is empty'
}

/** An optional value: null if missing, unreadable in any other shape. */
function optional<T>(read: (text: string) => T | undefined) {
  return z.transform((value: unknown): T | null => {
    const text = toText(value)
    if (text === null) return null
    const result = text === undefined ? undefined : read(text)
    return result === undefined ? unreadable() : result
  })
}

let unreadableCount = 0

/** How many values could not be read so far: a record that adds none holds no sentinel. */
export function countUnreadable(): number {
  return unreadableCount
}

/** The sentinel, typed as the value it stands for. */
function unreadable<T>(): T {
  unreadableCount += 1
  return UNREADABLE as T
}

const toDecimal = (text: string): DecimalText | undefined => parseDecimal(text) ?? undefined
const toDay = (text: string): Day | undefined => parseDay(text) ?? undefined
const toCurrency = (text: string) => (/^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : undefined)
const toBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined)

/**
 * A key from the partner: text, or a number with its digits kept (assumption 12). Short enough for
 * an index.
 */
export const requiredId = required(`an id of at most ${MAX_ID_CHARACTERS} characters`, (text) =>
  text.length <= MAX_ID_CHARACTERS ? text : undefined,
)
/** Plain or in exponent form (assumption 13). */
export const requiredDecimal = required<DecimalText>('a decimal number', toDecimal)
export const requiredDay = required<Day>('a day of the form YYYY-MM-DD', toDay)
export const requiredCurrency = required('a currency code of three letters', toCurrency)
export const optionalDecimal = optional<DecimalText>(toDecimal)
export const optionalDay = optional<Day>(toDay)
export const optionalCurrency = optional(toCurrency)
export const optionalText = optional((text) => text)

/** Text to group and filter by. One too long for an index rejects its record; it is never cut. */
export const optionalKey = z.transform((value: unknown, context): string | null => {
  const text = toText(value)
  if (text === undefined) return unreadable()
  if (text === null || text.length <= MAX_KEY_CHARACTERS) return text
  context.issues.push({ code: 'custom', message: `is longer than ${MAX_KEY_CHARACTERS} characters`, input: value })
  return z.NEVER
})

/** true, false or unknown; an empty text is unknown (assumption 14). */
export const optionalBoolean = z.transform((value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value
  const text = toText(value)
  return text === null ? null : ((text === undefined ? undefined : toBoolean(text)) ?? unreadable())
})

/** The texts of a list; empty if missing. */
export const textList = listOf((entry) => toText(entry))

/**
 * The names in a list of people, each `{name, email, external_id}`; leaves out people without a
 * name.
 */
export const nameList = listOf((entry) => (isJsonObject(entry) ? toText(entry.name) : undefined))

/**
 * The customer's own fields, each as `Project: P-210`. The contract does not show what an entry
 * holds: one without a name and a value of its own is left out.
 */
export const fieldList = listOf((entry) => {
  if (!isJsonObject(entry)) return null
  const [name, value] = [toText(entry.name), toText(entry.value)]
  return typeof name === 'string' && typeof value === 'string' ? `${name}: ${value}` : null
})

const PLACES = ['destination', 'hotel_location', 'pick_up_location', 'origin']

/** The country's code of where a service ends, in upper case; null where nothing says so. */
export const countryOf = z.transform((location: unknown): string | null => {
  if (!isJsonObject(location)) return null
  for (const name of PLACES) {
    const place = location[name]
    const code = isJsonObject(place) ? toText(place.country_code) : null
    if (typeof code === 'string' && /^[A-Za-z]{2,3}$/.test(code)) return code.toUpperCase()
  }
  return null
})

function listOf(read: (entry: unknown) => string | null | undefined) {
  return z.transform((value: unknown): string[] => {
    if (value === null || value === undefined || value === '') return []
    if (!Array.isArray(value)) return unreadable()
    return value.map(read).flatMap((text) => (text === undefined ? [unreadable<string>()] : (text ?? [])))
  })
}

/** An object of known, optional members; anything else reads as an empty one. */
export function optionalObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => (isJsonObject(value) ? value : {}), z.object(shape))
}

/** A value for a sentence: short, on one line, without control characters. */
function showValue(value: unknown): string {
  if (value instanceof NumberText) return value.numberText.slice(0, 60)
  if (typeof value !== 'string')
    return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : String(value)
  const short = value.length > 60 ? `${value.slice(0, 60)}…` : value
  return `"${short.replace(/[\p{Cc}\p{Surrogate}]/gu, ' ')}"`
}
