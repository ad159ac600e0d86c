/** Reads the search part of an address. Pure; the browser uses it too. */
import { type Day, parseDay } from '#lib/reconcile/day.ts'

/** Search parameters as a page gets them: a repeated name comes as a list. */
export type RawSearchParams = Record<string, string | string[] | undefined>

const PAGE_SIZE_RANGE = { smallest: 25, largest: 200 }
const MAX_VALUES = 100
const MAX_VALUE_LENGTH = 500
const MAX_TEXT_LENGTH = 200

/**
 * The parameters of an address, for pages and query modules. Names such as `__proto__` are plain
 * data.
 */
export function toSearchParams(params: URLSearchParams): RawSearchParams {
  const names = new Set(params.keys())
  return Object.assign(
    Object.create(null),
    Object.fromEntries([...names].map((name) => [name, params.getAll(name)] as const)),
  ) as RawSearchParams
}

/**
 * The values of a repeatable parameter, in order, each once. An empty value means "unknown". Drops
 * values no column can hold (NUL, half a surrogate pair, over 500 characters), and everything after
 * the hundredth.
 */
export function readValues(raw: RawSearchParams, name: string): string[] {
  const given = Object.hasOwn(raw, name) ? raw[name] : undefined
  const list = given === undefined ? [] : Array.isArray(given) ? given : [given]
  const values = list.filter(
    (value) => typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && isStorable(value),
  )
  return [...new Set(values)].slice(0, MAX_VALUES)
}

/** The first value of a parameter meant to come once; null if there is none. */
export function readValue(raw: RawSearchParams, name: string): string | null {
  return readValues(raw, name)[0] ?? null
}

/** A calendar day; null if it is missing or invalid. */
export function readDay(raw: RawSearchParams, name: string): Day | null {
  return parseDay(readValue(raw, name) ?? '')
}

/** The search text, trimmed, at most 200 characters. */
export function readText(raw: RawSearchParams, name: string): string {
  const text = (readValue(raw, name) ?? '').trim()
  // a cut may fall inside a surrogate pair; drop the half
  return text
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/\p{Surrogate}$/u, '')
    .trim()
}

/** The page, counted from 1. */
export function readPage(raw: RawSearchParams): number {
  const text = readValue(raw, 'page') ?? ''
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

/** Rows per page: 25 to 200. */
export function readPageSize(raw: RawSearchParams, fallback: number): number {
  const text = readValue(raw, 'size') ?? ''
  if (!/^\d{1,6}$/.test(text)) return fallback
  return Math.min(Math.max(Number(text), PAGE_SIZE_RANGE.smallest), PAGE_SIZE_RANGE.largest)
}

/** A sort order: a key of a list's allow-list and its direction. */
export type Sort<Key extends string> = { key: Key; descending: boolean }

/**
 * The sort order in the address; `fallback` if it names none, or one not on the allow-list. `-`
 * before the key means descending.
 */
export function readSort<Key extends string>(
  raw: RawSearchParams,
  keys: readonly Key[],
  fallback: Sort<Key>,
): Sort<Key> {
  const text = readValue(raw, 'sort') ?? ''
  const descending = text.startsWith('-')
  const key = keys.find((known) => known === (descending ? text.slice(1) : text))
  return key === undefined ? fallback : { key, descending }
}

/** PostgreSQL's text holds neither NUL nor half a surrogate pair. */
function isStorable(value: string): boolean {
  return !/\0|\p{Surrogate}/u.test(value)
}
