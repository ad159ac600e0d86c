import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GROUP_KEYS } from '#lib/reconcile/group-keys.ts'
import { INVOICE_FINDING_CODES } from '#lib/reconcile/invoice-finding.ts'
import { COMPARISONS } from '#lib/reconcile/matrix/compared-span.ts'
import { MEASURES } from '#lib/reconcile/matrix/measures.ts'
import { REVIEW_CHOICES } from '#lib/reconcile/review/review-state.ts'
import { INVOICE_STATES } from '#lib/reconcile/verdict.ts'
import { day } from '../test-support/seed.ts'
import { parseConnectionQuery, writeConnectionQuery } from './connection-query.ts'
import {
  DEFAULT_GROUP_QUERY,
  GROUP_QUERY,
  GROUP_SORT_KEYS,
  parseGroupQuery,
  toChildGroupQuery,
  toGroupLineQuery,
  writeGroupQuery,
} from './group-query.ts'
import { DEFAULT_CHANGE_QUERY, parseChangeQuery, writeChangeQuery } from './history-query.ts'
import { INVOICE_COLUMN_NAMES } from './invoice-columns.ts'
import {
  DEFAULT_INVOICE_QUERY,
  INVOICE_QUERY,
  INVOICE_SORT_KEYS,
  parseInvoiceQuery,
  writeInvoiceQuery,
} from './invoice-query.ts'
import { LINE_COLUMN_NAMES } from './line-columns.ts'
import {
  DEFAULT_LINE_QUERY,
  hasLineFilters,
  LINE_QUERY,
  LINE_SORT_KEYS,
  parseLineQuery,
  writeLineQuery,
} from './line-query.ts'
import { COLUMN_WIDTHS, DENSITIES } from './list-columns.ts'
import { listUnread } from './list-query.ts'
import { REVIEW_QUERY } from './review-query.ts'
import { toSearchParams } from './search-params.ts'

const value = fc
  .oneof(
    fc.string({ maxLength: 40, unit: 'grapheme' }),
    fc.constantFrom('', '__proto__', 'constructor', 'a,b', '%2C', '&x=1', '+ ', '\r\n'),
  )
  .filter((text) => !text.includes('\0'))
const values = fc.uniqueArray(value, { maxLength: 6 })
const currencies = fc.uniqueArray(fc.stringMatching(/^[A-Z]{3}$/), { maxLength: 4 })
const days = fc.option(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => day(date.toISOString().slice(0, 10))),
)
const text = value.map((searched) => searched.trim())
const paging = { page: fc.integer({ min: 1, max: 999_999 }), pageSize: fc.integer({ min: 25, max: 200 }) }
const view = fc.option(fc.record({ id: fc.uuid(), version: fc.integer({ min: 1, max: 999_999_999 }) }))
const row = fc.record({ connectionId: fc.uuid(), id: value.filter((id) => id !== '') })
const beside = fc.option(
  fc.oneof(
    fc.record({ side: fc.constant('after' as const), row }),
    fc.record({ side: fc.constant('before' as const), row: fc.option(row) }),
  ),
)
const columnsOf = <Name extends string>(names: readonly Name[]) =>
  fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      isPinned: fc.boolean(),
      width: fc.option(fc.integer({ min: COLUMN_WIDTHS.least, max: COLUMN_WIDTHS.most })),
    }),
    { selector: ({ name }) => name },
  )
const density = fc.constantFrom(...DENSITIES)
const sortBy = <Key extends string>(keys: readonly Key[]) =>
  fc.record({ key: fc.constantFrom(...keys), descending: fc.boolean() })

const filters = {
  connections: values,
  from: days,
  to: days,
  dateField: fc.constantFrom('expense' as const, 'issued' as const),
  currencies,
  verticals: values,
  costCenters: values,
  vendors: values,
  travelers: values,
  trips: values,
  statuses: values,
  modes: values,
  profiles: values,
  services: values,
  bookers: values,
  labels: values,
  countries: values,
  customFields: values,
  policies: values,
  taxRegimes: values,
  taxRates: values,
  issueMonths: values,
  invoices: values,
  findingCodes: values,
  findingsOnly: fc.boolean(),
  goneOnly: fc.boolean(),
  picked: values,
  seen: values,
  fell: values,
  months: values,
  outcomes: fc.subarray(['unexplained' as const, 'explained' as const]),
  reviews: fc.subarray([...REVIEW_CHOICES]),
  decisions: values,
  concerned: values,
  text,
}
const lineQuery = fc.record({
  ...filters,
  sort: sortBy(LINE_SORT_KEYS),
  columns: columnsOf(LINE_COLUMN_NAMES),
  density,
  ...paging,
  beside,
  view,
})
// the last of the keys may be that of a matrix's columns
const keys = fc
  .tuple(fc.shuffledSubarray([...GROUP_KEYS], { minLength: 2, maxLength: 4 }), fc.boolean())
  .map(([some, isMatrix]) => ({ by: some.slice(0, -1), across: isMatrix ? (some.at(-1) ?? null) : null }))
const groupQuery = fc
  .tuple(
    keys,
    fc.record({
      ...filters,
      measure: fc.constantFrom(...MEASURES),
      shownCurrency: fc.option(fc.stringMatching(/^[A-Z]{3}$/)),
      against: fc.constantFrom(...COMPARISONS),
      sort: sortBy([...GROUP_SORT_KEYS, 'total_EUR'] as const),
      ...paging,
      view,
    }),
  )
  .map(([by, others]) => ({ ...by, ...others }))
const invoiceQuery = fc.record({
  connections: values,
  from: days,
  to: days,
  currencies,
  statuses: values,
  modes: values,
  profiles: values,
  states: fc.subarray([...INVOICE_STATES]),
  findings: fc.subarray([...INVOICE_FINDING_CODES]),
  reviews: fc.subarray([...REVIEW_CHOICES]),
  decisions: values,
  credit: fc.boolean(),
  goneOnly: fc.boolean(),
  findingsOnly: fc.boolean(),
  text,
  sort: sortBy(INVOICE_SORT_KEYS),
  columns: columnsOf(INVOICE_COLUMN_NAMES),
  density,
  ...paging,
  beside,
  view,
})

const changeQuery = fc.record({
  connections: values,
  since: days,
  moneyOnly: fc.boolean(),
  page: paging.page,
  scope: fc.constantFrom(
    '',
    'period=all',
    'profile=a%2Cb&currency=EUR&period=2026-09&date=expense'.replace('%2C', ','),
  ),
})

/** As the address bar encodes it. */
const throughAddress = (search: string) =>
  toSearchParams(new URL(`https://tieout.example/lines?${search}`).searchParams)
const runs = { numRuns: 2000 }

describe('the address is the state', () => {
  test('parse(write(q)) = q for every line query', () => {
    fc.assert(
      fc.property(lineQuery, (query) => {
        expect(parseLineQuery(throughAddress(writeLineQuery(query)))).toEqual(query)
      }),
      runs,
    )
  })
  test('parse(write(q)) = q for every group query', () => {
    fc.assert(
      fc.property(groupQuery, (query) => {
        expect(parseGroupQuery(throughAddress(writeGroupQuery(query)))).toEqual(query)
      }),
      runs,
    )
  })
  test('parse(write(q)) = q for every invoice query', () => {
    fc.assert(
      fc.property(invoiceQuery, (query) => {
        expect(parseInvoiceQuery(throughAddress(writeInvoiceQuery(query)))).toEqual(query)
      }),
      runs,
    )
  })
  test('parse(write(q)) = q for every query of the changes', () => {
    fc.assert(
      fc.property(changeQuery, (query) => {
        expect(parseChangeQuery(throughAddress(writeChangeQuery(query)))).toEqual(query)
      }),
      runs,
    )
  })
  test.each([
    ['from=2026-07-01&to=2026-09-30&date=issued', 'period=2026-Q3', 'period=2026-Q3'],
    ['date=expense&from=2026-09-01&to=2026-09-30', 'period=2026-09&date=expense', 'period=2026-09'],
    ['period=2026-09&date=expense', 'period=2026-09&date=expense', 'period=2026-09'],
    ['from=2026-04-01&to=2027-03-31&date=issued', 'period=FY2026-04', 'period=FY2026-04'],
    ['from=2026-09-02&to=2026-09-30', 'from=2026-09-02&to=2026-09-30', 'from=2026-09-02&to=2026-09-30'],
    ['period=all', '', ''],
  ])('NA2: days that are a period have one name in every list’s address: %s', (given, ofLines, ofInvoices) => {
    expect(writeLineQuery(parseLineQuery(throughAddress(given)))).toBe(ofLines)
    expect(writeGroupQuery(parseGroupQuery(throughAddress(given)))).toBe(ofLines)
    expect(writeInvoiceQuery(parseInvoiceQuery(throughAddress(given)))).toBe(ofInvoices)
    expect(listUnread(LINE_QUERY.parameters, throughAddress(given))).toEqual([])
  })
  test('all that a query writes into an address is understood', () => {
    fc.assert(
      fc.property(lineQuery, groupQuery, invoiceQuery, (line, group, invoice) => {
        expect(listUnread(LINE_QUERY.parameters, throughAddress(writeLineQuery(line)))).toEqual([])
        expect(listUnread(GROUP_QUERY.parameters, throughAddress(writeGroupQuery(group)))).toEqual([])
        expect(listUnread(INVOICE_QUERY.parameters, throughAddress(writeInvoiceQuery(invoice)))).toEqual([])
      }),
      runs,
    )
  })
  test.each([
    ['findings=only', ['findings=only']],
    ['findings=1&outcome=unexplained', []],
    ['colour=red&vertical=&vertical=hotel', ['colour=red']],
    ['from=2026-13-01', ['from=2026-13-01']],
    ['currency=EURO&currency=eur', ['currency=EURO']],
    ['sort=nothing&page=x&line=y&open=z&__proto__=1', ['__proto__=1']],
  ])('of %s it does not understand %j', (address, unread) => {
    expect(listUnread(LINE_QUERY.parameters, throughAddress(address))).toEqual(unread)
  })
  test.each(['mine', 'disputed', 'suspended', 'done'])('the tab of the review is understood: %s', (tab) => {
    expect(listUnread(REVIEW_QUERY.parameters, { tab, period: 'all' })).toEqual([])
  })
  test('defaults are left out of the address', () => {
    expect(writeChangeQuery(DEFAULT_CHANGE_QUERY)).toBe('')
    expect(writeLineQuery(DEFAULT_LINE_QUERY)).toBe('')
    expect(writeGroupQuery(DEFAULT_GROUP_QUERY)).toBe('')
    expect(writeInvoiceQuery(DEFAULT_INVOICE_QUERY)).toBe('')
  })
  test('the address reads like the documented one', () => {
    const query = { ...DEFAULT_GROUP_QUERY, by: ['trip' as const, 'cost_center' as const], verticals: ['flight', ''] }
    expect(writeGroupQuery(query)).toBe('by=trip,cost_center&vertical=flight&vertical=')
  })
})

describe('hostile input', () => {
  const names = [
    'connection',
    'from',
    'to',
    'date',
    'currency',
    'vertical',
    'q',
    'sort',
    'page',
    'size',
    'columns',
    'density',
    'only',
    'by',
    'findings',
    'check',
    'finding',
    'credit',
    'since',
    'money',
    'show',
    '__proto__',
  ]
  const garbage = fc.dictionary(
    fc.oneof(fc.constantFrom(...names), fc.string()),
    fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), fc.constant(undefined)),
  )

  test('parsing never throws, and its result for garbage survives the address', () => {
    fc.assert(
      fc.property(garbage, (raw) => {
        const line = parseLineQuery(raw)
        expect(parseLineQuery(throughAddress(writeLineQuery(line)))).toEqual(line)
        const group = parseGroupQuery(raw)
        expect(parseGroupQuery(throughAddress(writeGroupQuery(group)))).toEqual(group)
        const connection = parseConnectionQuery(raw)
        expect(parseConnectionQuery(throughAddress(writeConnectionQuery(connection)))).toEqual(connection)
        const change = parseChangeQuery(raw)
        expect(parseChangeQuery(throughAddress(writeChangeQuery(change)))).toEqual(change)
        const invoice = parseInvoiceQuery(raw)
        expect(parseInvoiceQuery(throughAddress(writeInvoiceQuery(invoice)))).toEqual(invoice)
      }),
      runs,
    )
  })
  test('A14: sort and group keys not on the allow-list fall back to the defaults', () => {
    for (const key of ['total_amount; drop table line', 'l.raw', '__proto__', 'constructor', '--expense_date', '']) {
      expect(parseLineQuery({ sort: key }).sort).toEqual(DEFAULT_LINE_QUERY.sort)
      expect(parseInvoiceQuery({ sort: key }).sort).toEqual(DEFAULT_INVOICE_QUERY.sort)
      expect(parseGroupQuery({ sort: key, by: key })).toEqual(DEFAULT_GROUP_QUERY)
    }
    expect(parseGroupQuery({ by: 'raw,cost_center,trip,trip' }).by).toEqual(['cost_center', 'trip'])
    expect(parseGroupQuery({ by: '__proto__,total; drop table,vertical' }).by).toEqual(['vertical'])
  })
  test('A19: a repeated scalar counts once, and a list drops repeated values', () => {
    const raw = toSearchParams(
      new URLSearchParams('page=2&page=3&q=a&q=b&trip=1&trip=1&trip=2&__proto__=x&by=trip&by=vertical'),
    )
    expect(parseLineQuery(raw)).toEqual({ ...DEFAULT_LINE_QUERY, page: 2, text: 'a', trips: ['1', '2'] })
    expect(parseGroupQuery(raw).by).toEqual(['trip', 'vertical'])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
  test('ignores or bounds impossible days, pages and sizes out of range, and half flags', () => {
    expect(
      parseLineQuery({ from: '2026-02-30', to: 'yesterday', date: 'x', page: '0', size: '-1', findings: 'true' }),
    ).toEqual(DEFAULT_LINE_QUERY)
    expect(parseLineQuery({ size: '1', page: '1e3' })).toEqual({ ...DEFAULT_LINE_QUERY, pageSize: 25 })
    expect(parseLineQuery({ size: '99999', page: '99999999999' })).toEqual({ ...DEFAULT_LINE_QUERY, pageSize: 200 })
    expect(parseLineQuery({ currency: ['eur', 'EURO', ''] }).currencies).toEqual(['EUR'])
  })
  test('keeps a range of days that finds nothing as given', () => {
    expect(parseLineQuery({ from: '2026-03-02', to: '2026-03-01' })).toMatchObject({
      from: '2026-03-02',
      to: '2026-03-01',
    })
  })
})

describe('links between pages', () => {
  const query = { ...DEFAULT_GROUP_QUERY, by: ['trip' as const, 'vertical' as const], currencies: ['EUR'], page: 3 }

  test('opening a group keeps the filters and goes on with the remaining keys', () => {
    expect(toChildGroupQuery(query, '10223')).toEqual({ ...query, trips: ['10223'], by: ['vertical'], page: 1 })
    expect(toChildGroupQuery({ ...query, by: ['trip'] }, '10223')).toBeNull()
  })
  test('the lines of the unknown group are those that do not say', () => {
    expect(toGroupLineQuery(query, null)).toEqual({ ...DEFAULT_LINE_QUERY, currencies: ['EUR'], trips: [''] })
    expect(writeLineQuery(toGroupLineQuery(query, null))).toBe('currency=EUR&trip=')
  })
  test('only filters make a list a filtered one', () => {
    expect(hasLineFilters({ ...DEFAULT_LINE_QUERY, dateField: 'issued' })).toBe(false)
    expect(hasLineFilters({ ...DEFAULT_LINE_QUERY, verticals: [''] })).toBe(true)
  })
})
