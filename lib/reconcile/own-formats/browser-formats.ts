/** What a browser says of its person's formats. Only the server reads it. */
import { type DateFormat, NUMBER_FORMATS, type NumberFormat } from '../formats.ts'

/** Longer is no language that a browser of a person asks for. */
const LONGEST_TAG = 35
const LONGEST_ZONE = 64

/**
 * The formats of the first language that a browser asks for, in Latin digits; null when it asks for
 * none that is known. Languages are looked up in the Unicode locale data of Node.
 */
export function readLanguage(acceptLanguage: string | null): { number: NumberFormat; date: DateFormat } | null {
  const [first = ''] = (acceptLanguage ?? '').split(/[,;]/, 1)
  const tag = first.trim()
  if (tag.length > LONGEST_TAG) return null
  try {
    const [known] = Intl.NumberFormat.supportedLocalesOf(tag)
    // the plain language, without what its tag may ask for besides (RFC 6067)
    return known === undefined ? null : readLocale(new Intl.Locale(known).baseName)
  } catch {
    return null
  }
}

function readLocale(locale: string): { number: NumberFormat; date: DateFormat } {
  const day = new Intl.DateTimeFormat(locale, { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' })
  const parts = day.formatToParts(0)
  const order = parts.filter(({ type }) => ['year', 'month', 'day'].includes(type)).map(({ type }) => type[0])
  const mark = parts.find(({ type }) => type === 'literal')?.value ?? ''
  return { number: readNumber(locale), date: toDateFormat(order.join(''), mark.includes('.')) }
}

function toDateFormat(order: string, hasPoints: boolean): DateFormat {
  if (order === 'mdy') return 'month-first'
  if (order === 'ymd') return 'year-first'
  return hasPoints ? 'points' : 'day-first'
}

function readNumber(locale: string): NumberFormat {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' }).formatToParts(
    12345678.5,
  )
  const sign = (of: Intl.NumberFormatPartTypes) => parts.find(({ type }) => type === of)?.value ?? ''
  const decimal = sign('decimal')
  const group = toGroup(sign('group'))
  const isIndian = parts.filter(({ type }) => type === 'integer')[1]?.value.length === 2
  const names = Object.keys(NUMBER_FORMATS) as NumberFormat[]
  const found = names.find((name) => {
    const each = NUMBER_FORMATS[name]
    return each.decimal === decimal && each.group === group && each.isIndian === isIndian
  })
  return found ?? (decimal === ',' ? 'space-comma' : 'comma-point')
}

/** Versions of the locale data differ in which blank or apostrophe a language has. */
function toGroup(mark: string): string {
  if (/\s/.test(mark)) return NUMBER_FORMATS['space-comma'].group
  return mark === "'" ? NUMBER_FORMATS['apostrophe-point'].group : mark
}

/** The time zones to choose from, by name; UTC first, which they leave out. */
export function listTimeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** Whether it is a name of a time zone that this server knows; an offset is none. */
export function isTimeZone(text: string): boolean {
  if (text.length > LONGEST_ZONE || !/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return true
  } catch {
    return false
  }
}
