import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Day } from './day.ts'
import { formatAmount, formatCount, formatDay, formatDays, formatMonth, formatNumber } from './format.ts'
import {
  currentFormats,
  DATE_FORMATS,
  type Formats,
  NUMBER_FORMATS,
  type NumberFormat,
  PLAIN_FORMATS,
  parseFormats,
  toFormatsText,
} from './formats.ts'
import { formatDayOf, formatMoment, formatTime, formatZone } from './moment.ts'
import { compareDecimals, type DecimalText, parseDecimal } from './money.ts'
import { isTimeZone, listTimeZones, readLanguage } from './own-formats/browser-formats.ts'
import { AS_ORGANIZATION, NO_CHOICE, resolveFormats } from './own-formats/format-choices.ts'
import { withFormats } from './test-support/test-formats.ts'
import { decimalText } from './test-support/test-lines.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText
const of = (formats: Partial<Formats>): Formats => ({ ...PLAIN_FORMATS, ...formats })
const NUMBERS = Object.keys(NUMBER_FORMATS) as NumberFormat[]

describe('figures', () => {
  test.each([
    ['comma-point', '1,112,078.92', '−48,700', '5.5', '1,284'],
    ['point-comma', '1.112.078,92', '−48.700', '5,5', '1.284'],
    ['space-comma', '1\u202f112\u202f078,92', '−48\u202f700', '5,5', '1\u202f284'],
    ['apostrophe-point', '1’112’078.92', '−48’700', '5.5', '1’284'],
    ['indian', '11,12,078.92', '−48,700', '5.5', '1,284'],
  ] as const)('are written by the format %s', (number, amount, yen, rate, count) => {
    withFormats(of({ number }), () => {
      expect(formatAmount(decimal('1112078.92'), 'EUR')).toBe(amount)
      expect(formatAmount(decimal('-48700'), 'JPY')).toBe(yen)
      expect(formatNumber(decimal('5.50'))).toBe(rate)
      expect(formatCount(1284)).toBe(count)
    })
  })

  test('are the same decimal when read back, in every format and at any length', () => {
    fc.assert(
      fc.property(
        decimalText(),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        fc.constantFrom(...NUMBERS),
        (amount, currency, number) => {
          const shown = withFormats(of({ number }), () => formatAmount(amount, currency))
          const { group, decimal: sign } = NUMBER_FORMATS[number]
          const read = shown.replaceAll(group, '').replace(sign, '.').replace('−', '-')
          expect(compareDecimals(decimal(read), amount)).toBe(0)
        },
      ),
    )
  })
})

describe('days', () => {
  const [from, to] = ['2026-03-04', '2026-12-31'] as Day[] as [Day, Day]
  test.each([
    ['month-first', 'Mar 4, 2026', 'Mar 4 to Dec 31, 2026'],
    ['day-first', '4 Mar 2026', '4 Mar to 31 Dec 2026'],
    ['points', '04.03.2026', '04.03. to 31.12.2026'],
    ['year-first', '2026-03-04', '2026-03-04 to 2026-12-31'],
  ] as const)('are written by the format %s', (date, day, span) => {
    withFormats(of({ date }), () => {
      expect(formatDay(from)).toBe(day)
      expect(formatDays(from, to)).toBe(span)
      expect(formatDays(from, from)).toBe(day)
      expect(formatDays('2025-12-31' as Day, from)).toBe(`${formatDay('2025-12-31')} to ${day}`)
      expect(formatMonth(from)).toBe('Mar 2026')
    })
  })

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'])(
    'of the contract are the same days in %s',
    (timeZone) => {
      withFormats(of({ timeZone }), () => expect(formatDay('2026-03-04')).toBe('Mar 4, 2026'))
    },
  )
})

describe('moments', () => {
  test.each([
    ['UTC', 'Mar 4, 2026, 11:30:05 PM UTC'],
    ['Asia/Kolkata', 'Mar 5, 2026, 5:00:05 AM UTC+5:30'],
    ['America/St_Johns', 'Mar 4, 2026, 8:00:05 PM UTC−3:30'],
    ['Pacific/Kiritimati', 'Mar 5, 2026, 1:30:05 PM UTC+14'],
  ])('stand in the zone %s, which is named', (timeZone, shown) => {
    withFormats(of({ timeZone }), () =>
      expect(formatMoment('2026-03-04T23:30:05.999Z', { withZone: true })).toBe(shown),
    )
  })

  test('follow summer time', () => {
    withFormats(of({ timeZone: 'Europe/Berlin', date: 'points' }), () => {
      expect(formatMoment('2026-03-29T00:59:59Z')).toBe('29.03.2026, 01:59:59')
      expect(formatMoment('2026-03-29T01:00:00Z')).toBe('29.03.2026, 03:00:00')
      expect([formatZone('2026-03-29T00:59:59Z'), formatZone('2026-03-29T01:00:00Z')]).toEqual(['UTC+1', 'UTC+2'])
    })
  })

  test('have midnight and noon on both clocks, and a day of their own', () => {
    const [midnight, noon] = ['2026-03-04T00:00:00Z', '2026-03-04T12:00:00Z']
    expect([formatTime(midnight), formatTime(noon)]).toEqual(['12:00:00 AM', '12:00:00 PM'])
    withFormats(of({ date: 'day-first' }), () => expect(formatTime(midnight)).toBe('00:00:00'))
    withFormats(of({ timeZone: 'America/New_York' }), () => expect(formatDayOf(midnight)).toBe('Mar 3, 2026'))
  })

  test('stand in UTC where a browser does not know the zone', () => {
    withFormats(of({ timeZone: 'Europe/Atlantis' }), () =>
      expect(formatMoment(0, { withZone: true })).toBe('Jan 1, 1970, 12:00:00 AM UTC'),
    )
  })
})

describe('a browser', () => {
  test.each([
    ['en-US,en;q=0.9', 'comma-point', 'month-first'],
    ['en-GB', 'comma-point', 'day-first'],
    ['de-DE,de;q=0.9', 'point-comma', 'points'],
    ['de-CH', 'apostrophe-point', 'points'],
    ['fr-FR', 'space-comma', 'day-first'],
    ['es', 'point-comma', 'day-first'],
    ['hi-IN', 'indian', 'day-first'],
    ['ar-EG', 'comma-point', 'day-first'],
    ['ar-EG-u-nu-arab-ca-islamic', 'comma-point', 'day-first'],
    ['ja-JP', 'comma-point', 'year-first'],
    ['sv-SE', 'space-comma', 'year-first'],
    ['th-TH', 'comma-point', 'day-first'],
  ])('that asks for %s reads %s and %s', (language, number, date) => {
    expect(readLanguage(language)).toEqual({ number, date })
  })

  test.each([null, '', '*', 'xx', '-', 'de_DE', 'a'.repeat(5000), '\u0000'])(
    'that asks for %j says nothing',
    (language) => {
      expect(readLanguage(language)).toBeNull()
    },
  )

  test('of any language has one of the formats', () => {
    for (const tag of [
      'fa',
      'ne',
      'bn-IN',
      'pl',
      'pt-PT',
      'en-ZA',
      'it-CH',
      'hy',
      'ko',
      'zh',
      'lt',
      'hu',
      'bg',
      'ur',
    ]) {
      const { number, date } = readLanguage(tag) ?? {}
      expect([NUMBERS.includes(number as NumberFormat), DATE_FORMATS.includes(date as never)], tag).toEqual([
        true,
        true,
      ])
    }
  })

  test('may name a time zone, and nothing else', () => {
    expect(listTimeZones().filter((zone) => !isTimeZone(zone))).toEqual([])
    expect(['Asia/Calcutta', 'Etc/GMT+5'].map(isTimeZone)).toEqual([true, true])
    for (const text of ['', '+01:00', 'Europe/Atlantis', 'UTC "x', 'Europe/Berlin x', 'A'.repeat(500)])
      expect(isTimeZone(text), text).toBe(false)
  })
})

describe('whose formats hold', () => {
  const browser = { number: 'indian', date: 'points', timeZone: 'Asia/Kolkata' } as const
  const silent = { number: null, date: null, timeZone: null }
  const organization = { numberFormat: 'point-comma', dateFormat: 'year-first', timeZone: 'Europe/Berlin' }
  const asOrganization = { numberFormat: AS_ORGANIZATION, dateFormat: AS_ORGANIZATION, timeZone: AS_ORGANIZATION }

  test('the person’s choice, else the browser’s, else the organization’s', () => {
    const own = { numberFormat: 'space-comma', dateFormat: null, timeZone: AS_ORGANIZATION }
    expect(resolveFormats(own, organization, browser)).toEqual({
      number: 'space-comma',
      date: 'points',
      timeZone: 'Europe/Berlin',
    })
    expect(resolveFormats(NO_CHOICE, organization, silent).number).toBe('point-comma')
    expect(resolveFormats(asOrganization, organization, browser).date).toBe('year-first')
    expect(resolveFormats(asOrganization, NO_CHOICE, browser)).toEqual(PLAIN_FORMATS)
  })

  test('a name that this version does not know counts as none', () => {
    const own = { numberFormat: 'roman', dateFormat: 'constructor', timeZone: null }
    expect(resolveFormats(own, NO_CHOICE, browser)).toEqual(browser)
  })
})

test('the formats of a page are one attribute, and any other text says none', () => {
  const formats = of({ number: 'point-comma', date: 'points', timeZone: 'Europe/Berlin' })
  expect(parseFormats(toFormatsText(formats))).toEqual(formats)
  for (const text of [undefined, '', 'toString points UTC', 'indian points', 'indian x UTC'])
    expect(parseFormats(text)).toBeNull()
})

test('without a request, as in files and mails, the plain formats hold', () => {
  expect(currentFormats()).toEqual(PLAIN_FORMATS)
})
