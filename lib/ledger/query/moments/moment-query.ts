/** The query of the bridge between two moments: the address is the state. */
import { type Day, parseDay } from '#lib/reconcile/day.ts'
import { MOMENT_PARTS, type MomentPart } from '#lib/reconcile/moments/moment-bridge.ts'
import { toInstant, toWallText } from '#lib/reconcile/moments/wall-time.ts'
import { findPeriod, parsePeriod } from '#lib/reconcile/period.ts'
import type { LineFilters } from '../line-query.ts'
import { writePairs } from '../list-place.ts'
import { type RawSearchParams, readPage, readValue, readValues } from '../search-params.ts'

/** What a bridge is of: lines under all of these, at each moment by what they were then. */
export type MomentScope = Pick<
  LineFilters,
  'connections' | 'profiles' | 'costCenters' | 'trips' | 'from' | 'to' | 'dateField' | 'foldsNames'
>

export type MomentQuery = {
  scope: MomentScope
  /** An instant (ISO 8601, UTC, to the microsecond); null if the address names none. */
  from: string | null
  /** Null means now. */
  to: string | null
  /** Which lines are listed, and of which currency. */
  part: MomentPart | null
  currency: string | null
  page: number
}

/** The reader's zone: a time without one is read as their clock's. */
type Reader = { timeZone: string; foldsNames?: boolean }

/** Lines per page of a part. */
export const MOMENT_LINES_PER_PAGE = 50

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z$/
const SPAN = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/
const SCOPE_NAMES = {
  connections: 'connection',
  profiles: 'profile',
  costCenters: 'cost_center',
  trips: 'trip',
} as const
type ValueName = keyof typeof SCOPE_NAMES

/** Whether a text is an instant as an address has it. */
export function isInstant(text: string | null): text is string {
  const [, day = ''] = INSTANT.exec(text ?? '') ?? []
  return parseDay(day) !== null
}

/**
 * Never throws; what cannot be read counts as not given. The later moment is never before the
 * earlier one. A time of the reader's clock is the instant beside it (`kept`) that their clock
 * shows so: a form has seconds, and a sign-off has more.
 */
export function parseMomentQuery(raw: RawSearchParams, { timeZone, foldsNames = false }: Reader): MomentQuery {
  const kept = readValues(raw, 'kept').filter(isInstant)
  const read = (name: string) => {
    const text = readValue(raw, name) ?? ''
    if (isInstant(text)) return text
    const typed = toInstant(text, timeZone)
    if (typed === null) return null
    return kept.find((each) => toWallText(each, timeZone) === toWallText(typed, timeZone)) ?? typed
  }
  const [from, to] = [read('from'), read('to')]
  const isTurned = from !== null && to !== null && toMicros(to) < toMicros(from)
  const part = readValue(raw, 'part')
  const currency = readValue(raw, 'currency')
  return {
    scope: { ...readDays(raw), ...readNames(raw), foldsNames },
    from: isTurned ? to : from,
    to: isTurned ? from : to,
    part: MOMENT_PARTS.find((each) => each === part) ?? null,
    currency: currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null,
    page: readPage(raw),
  }
}

/** `parse(write(query))` is `query`. */
export function writeMomentQuery({ scope, from, to, part, currency, page }: MomentQuery): string {
  const ofMoments: [string, string][] = [
    ...(from === null ? [] : [['from', from] as [string, string]]),
    ['to', to ?? 'now'],
  ]
  return writePairs([
    ...writeMomentScope(scope),
    ...ofMoments,
    ...(part === null ? [] : [['part', part] as [string, string]]),
    ...(currency === null ? [] : [['currency', currency] as [string, string]]),
    ...(page === 1 ? [] : [['page', String(page)] as [string, string]]),
  ])
}

/** The scope alone, as a form sends it along. */
export function writeMomentScope(scope: MomentScope): [name: string, value: string][] {
  const { from, to, dateField } = scope
  const hasDays = from !== null || to !== null
  const period = findPeriod(from, to)?.text ?? `${from ?? ''}..${to ?? ''}`
  return [
    ...(Object.keys(SCOPE_NAMES) as ValueName[]).flatMap((name) =>
      scope[name].map((value): [string, string] => [SCOPE_NAMES[name], value]),
    ),
    ...(hasDays ? [['period', period] as [string, string]] : []),
    ...(hasDays && dateField === 'expense' ? [['date', 'expense'] as [string, string]] : []),
  ]
}

/** Instants compare as numbers: their texts differ in how many digits they have. */
function toMicros(at: string): number {
  const [, micros = ''] = /\.(\d+)Z$/.exec(at) ?? []
  return Date.parse(`${at.slice(0, 19)}Z`) * 1000 + Number(micros.padEnd(6, '0'))
}

function readNames(raw: RawSearchParams): Pick<MomentScope, ValueName> {
  const names = Object.entries(SCOPE_NAMES).map(([name, parameter]) => [name, readValues(raw, parameter)])
  return Object.fromEntries(names) as Pick<MomentScope, ValueName>
}

function readDays(raw: RawSearchParams): Pick<MomentScope, 'from' | 'to' | 'dateField'> {
  const text = readValue(raw, 'period') ?? ''
  const [, first = '', last = ''] = SPAN.exec(text) ?? []
  const days: { from: Day | null; to: Day | null } = parsePeriod(text) ?? { from: parseDay(first), to: parseDay(last) }
  const hasDays = days.from !== null || days.to !== null
  return {
    from: days.from,
    to: days.to,
    dateField: !hasDays || readValue(raw, 'date') === 'expense' ? 'expense' : 'issued',
  }
}
