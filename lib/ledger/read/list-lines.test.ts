import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { STATES, stateOf } from '#lib/reconcile/verdict.ts'
import { fillSearchTextsBatch } from '../apply/fill-search-texts.ts'
import { SEARCHED_WORDS } from '../fields/search-text.ts'
import type { LineList, LineRow } from '../model.ts'
import { DEFAULT_LINE_QUERY, LINE_SORT_KEYS, type LineQuery, parseLineQuery } from '../query/line-query.ts'
import type { RowKey } from '../query/list-query.ts'
import { day, makeLine, makeLineOf, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { expectTotals, makeVariedLines, toPlainValue } from '../test-support/seed-varied-lines.ts'
import { listFilterOptions } from './choices/list-filter-options.ts'
import { searchFilterOptions } from './choices/search-filter-options.ts'
import { getLine } from './get-line.ts'
import { getOverview } from './get-overview.ts'
import { listLineRows, listLines } from './list-lines.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let otherConnectionId: ConnectionId
let stranger: { organizationId: OrganizationId; connectionId: ConnectionId }
const lines = makeVariedLines(500)
const otherLines = makeVariedLines(40, 8)

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner, 'Acme Europe')
  otherConnectionId = await seedConnection(database.query, owner, null)
  await seedLines(organizationId, connectionId, lines)
  await seedLines(organizationId, otherConnectionId, otherLines)
  const other = await seedOrganization(database.query, 'Stranger')
  stranger = { organizationId: other.organizationId, connectionId: await seedConnection(database.query, other) }
  await seedLines(stranger.organizationId, stranger.connectionId, [
    makeLineOf('1.00', { id: 'theirs', tripId: 'their-trip' }),
  ])
})
afterAll(() => database.drop())

const all = () => [...lines, ...otherLines]
const list = (change: Partial<LineQuery>) =>
  listLines(organizationId, { ...DEFAULT_LINE_QUERY, pageSize: 200, ...change })

/** The ids on all pages together. */
async function readAllPages(change: Partial<LineQuery>): Promise<{ ids: string[]; last: LineList }> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const last = await list({ ...change, page })
    ids.push(...last.rows.map((row) => row.id))
    if (page >= last.pageCount) return { ids, last }
  }
}

const plain = (totals: LineList['totals']) =>
  totals.map((total) => ({ ...total, totalAmount: toPlainValue(total.totalAmount) }))

describe('filters', () => {
  const filters: [name: string, change: Partial<LineQuery>, isKept: (line: ProvedLine) => boolean][] = [
    ['nothing', {}, () => true],
    ['from, inclusive', { from: day('2026-02-14') }, (line) => line.expenseDate >= '2026-02-14'],
    ['to, inclusive', { to: day('2026-02-14') }, (line) => line.expenseDate <= '2026-02-14'],
    [
      'the day of issue, which some lines do not state',
      { from: day('2026-03-01'), to: day('2026-06-01'), dateField: 'issued' },
      (line) => line.issuingDate !== null && line.issuingDate >= '2026-03-01' && line.issuingDate <= '2026-06-01',
    ],
    ['currencies', { currencies: ['JPY', 'KWD'] }, (line) => ['JPY', 'KWD'].includes(line.currency)],
    ['a vertical', { verticals: ['flight'] }, (line) => line.relatedVertical === 'flight'],
    [
      'a vertical or the unknown one',
      { verticals: ['flight', ''] },
      (line) => [null, 'flight'].includes(line.relatedVertical),
    ],
    ['the unknown cost center', { costCenters: [''] }, (line) => line.costCenter === null],
    ['a cost center of odd text', { costCenters: ['Ventes; Été'] }, (line) => line.costCenter === 'Ventes; Été'],
    ['trips', { trips: ['10001', '10002'] }, (line) => ['10001', '10002'].includes(line.tripId ?? '')],
    ['vendors, or none', { vendors: ['Vendor 3', ''] }, (line) => [null, 'Vendor 3'].includes(line.vendorName)],
    ['travelers', { travelers: ['Ana Sá'] }, (line) => line.travelerNames.includes('Ana Sá')],
    ['no traveler', { travelers: [''] }, (line) => line.travelerNames.length === 0],
    ['statuses', { statuses: ['unpaid'] }, (line) => line.invoiceStatus === 'unpaid'],
    ['modes', { modes: ['credit-reseller'] }, (line) => line.invoiceMode === 'credit-reseller'],
    ['profiles', { profiles: ['profile-1'] }, (line) => line.profileId === 'profile-1'],
    ['services', { services: ['extra', ''] }, (line) => [null, 'extra'].includes(line.service)],
    ['invoices', { invoices: ['INV-01-0003'] }, (line) => line.invoiceSerialNumber === 'INV-01-0003'],
    ['findings', { findingsOnly: true }, (line) => line.proof.findings.length > 0],
    [
      'findings without a reason',
      { outcomes: ['unexplained'] },
      (line) => line.explanations.some((each) => !each.isExplained),
    ],
    [
      'findings that have a reason',
      { outcomes: ['explained'] },
      (line) => line.explanations.length > 0 && line.explanations.every((each) => each.isExplained),
    ],
    ['a kind of finding', { findingCodes: ['tax'] }, (line) => line.proof.findings.some(({ code }) => code === 'tax')],
    [
      'several together',
      { currencies: ['EUR'], verticals: ['hotel', ''], findingsOnly: true, to: day('2026-03-10') },
      (line) =>
        line.currency === 'EUR' &&
        [null, 'hotel'].includes(line.relatedVertical) &&
        line.proof.findings.length > 0 &&
        line.expenseDate <= '2026-03-10',
    ],
    ['days in the wrong order', { from: day('2026-03-02'), to: day('2026-03-01') }, () => false],
  ]

  test.each(filters)('by %s: rows, counts and totals are those of exactly these lines', async (_, change, isKept) => {
    const kept = all().filter(isKept)
    const { ids, last } = await readAllPages(change)
    expect(ids.toSorted()).toEqual(kept.map(({ id }) => id).sort())
    expect(last.lineCount).toBe(kept.length)
    expect(last.allLineCount).toBe(all().length)
    expect(plain(last.totals)).toEqual(expectTotals(kept))
  })

  test('a line that the platform removed is in no total, listed with its money, and comes back as it was', async () => {
    const isGone = (line: ProvedLine) => line.relatedVertical === 'train' && line.currency !== 'JPY'
    const before = await list({})
    const overview = await getOverview(organizationId, dayOf(0))
    expect(overview.gone.totals).toEqual([])
    const gone = lines.filter(isGone)
    const mark = (since: string) =>
      database.query(`update line set missing_since = ${since} where connection_id = $1 and id = any($2)`, [
        connectionId,
        gone.map(({ id }) => id),
      ])
    await mark('now()')
    const kept = [...lines.filter((line) => !isGone(line)), ...otherLines]
    expect(plain((await list({})).totals)).toEqual(expectTotals(kept))
    for (const change of [{}, { findingsOnly: true }, { currencies: ['EUR'] }, { text: 'item' }]) {
      const found = await readAllPages({ ...change, goneOnly: true })
      const { totals, rows } = await list({ ...change, goneOnly: true })
      expect(new Set(rows.map(({ removedOn }) => removedOn))).toEqual(new Set([dayOf(Date.now())]))
      const expected = gone.filter(
        (line) =>
          (change.findingsOnly !== true || line.proof.findings.length > 0) &&
          (change.currencies === undefined || change.currencies.includes(line.currency)) &&
          (change.text === undefined || line.description.toLowerCase().includes(change.text)),
      )
      expect(found.ids.toSorted()).toEqual(expected.map(({ id }) => id).sort())
      expect(plain(totals)).toEqual(expectTotals(expected))
    }
    const figures = (await getOverview(organizationId, dayOf(0))).gone.totals
    expect(figures.map((each) => ({ ...each, totalAmount: toPlainValue(each.totalAmount) }))).toEqual(
      expectTotals(gone).map(({ currency, lineCount, totalAmount }) => ({ currency, lineCount, totalAmount })),
    )
    await mark('null')
    expect(await list({})).toEqual(before)
    expect(await getOverview(organizationId, dayOf(0))).toEqual(overview)
    expect((await list({ goneOnly: true })).rows).toEqual([])
  })

  test('by connection', async () => {
    const found = await list({ connections: [otherConnectionId] })
    expect(plain(found.totals)).toEqual(expectTotals(otherLines))
    const both = await list({ connections: [otherConnectionId, connectionId] })
    expect(plain(both.totals)).toEqual(expectTotals([...lines, ...otherLines]))
  })
})

describe('search', () => {
  const special = [
    makeLineOf('-1234.50', { id: 'refund' }),
    makeLineOf('1234.500', { id: 'charge', currency: 'KWD' }),
    makeLine({ id: 'hostile', description: `'; drop table line; -- 100%_\\` }),
    makeLine({ id: 'accents', description: 'Überfahrt', travelerNames: ['José Núñez'], vendorName: 'Große Straße' }),
    makeLine({ id: 'sigma', description: 'ΟΔΟΣ 7', vendorName: 'Łódź Ørsted' }),
  ]
  beforeAll(async () => {
    await seedLines(organizationId, connectionId, special)
    return async () => {
      await database.query('delete from line where organization_id = $1 and id = any($2)', [
        organizationId,
        special.map(({ id }) => id),
      ])
    }
  })
  const search = async (text: string) => (await list({ text })).rows.map(({ id }) => id).sort()

  test.each(['1234.50', '1234,5', '-1234,50', '1,234.50', '1.234,500', '\u22121 234.5'])(
    'finds an exact amount in any decimal mark and sign: %s',
    async (text) => expect(await search(text)).toEqual(['charge', 'refund']),
  )
  test('part of an amount does not find it', async () => {
    // it may be part of a line's id
    const found = await search('1234')
    expect(found.filter((id) => ['charge', 'refund'].includes(id))).toEqual([])
  })
  test.each([
    ['description', '"ITEM 42 5"', (line: ProvedLine) => line.description.startsWith('Item 42 5')],
    ['trip name', '"trip 3 ren"', (line: ProvedLine) => line.tripName === 'Trip 3 renamed'],
    ['trip', '10004', (line: ProvedLine) => line.tripId === '10004'],
    ['invoice', '01-0007', (line: ProvedLine) => line.invoiceSerialNumber === 'INV-01-0007'],
    ['vendor', '"vendor 13"', (line: ProvedLine) => line.vendorName === 'Vendor 13'],
    ['cost center', 'ventes;', (line: ProvedLine) => line.costCenter === 'Ventes; Été'],
    ['traveler', 'ana s', (line: ProvedLine) => line.travelerNames.includes('Ana Sá')],
  ])('finds text in the %s, ignoring case', async (_, text, isFound) => {
    const { ids } = await readAllPages({ text })
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.toSorted()).toEqual(
      all()
        .filter(isFound)
        .map(({ id }) => id)
        .sort(),
    )
  })
  test.each([
    ['jose nunez', 'accents'],
    ['JOSÉ', 'accents'],
    ['jose\u0301', 'accents'],
    ['ÜBERFAHRT', 'accents'],
    ['STRASSE', 'accents'],
    ['straße', 'accents'],
    ['οδος', 'sigma'],
    ['ΟΔΟΣ', 'sigma'],
    ['lodz orsted', 'sigma'],
  ])('finds a text without its accents and in any case: %s', async (text, id) => {
    expect(await search(text)).toEqual([id])
  })
  test('the end of one field and the start of the next are no text', async () => {
    expect(await search('überfahrttrip')).toEqual([])
    expect(await search('großestraße')).toEqual([])
  })
  test('finds what a line says now, and not what it said', async () => {
    const change = async (description: string) =>
      seedLines(organizationId, connectionId, [makeLine({ id: 'sigma', description, contentHash: description })])
    await change('Änderung')
    expect(await search('anderung')).toEqual(['sigma'])
    expect(await search('οδος')).toEqual([])
  })
  test('a line from before there were search texts is found in the same places', async () => {
    const texts = ['ITEM 42 5', 'trip 3 ren', 'ventes;', '1234,5', '100%_\\', '1_0%', 'José', 'ÜBER']
    const read = () => Promise.all(texts.map(search))
    const found = await read()
    // as the migration leaves it
    await database.query(
      `update line l set search_text = chr(30) || lower(${SEARCHED_WORDS}) where organization_id = $1`,
      [organizationId],
    )
    expect(await read()).toEqual(found)
    expect(await search('jose')).toEqual([])
    while ((await fillSearchTextsBatch(200)) > 0);
    expect(await read()).toEqual(found)
    expect(await search('jose')).toEqual(['accents'])
  })
  test('a line of another organization is not found', async () => {
    expect(await search('theirs')).toEqual([])
    const theirs = await listLines(stranger.organizationId, { ...DEFAULT_LINE_QUERY, text: 'theirs' })
    expect(theirs.rows.map(({ id }) => id)).toEqual(['theirs'])
  })
  test.each([['item'], ['"item 42"'], ['"item 42 5"']])(
    'many and few lines found are in order and counted, from each line on and back: %s',
    async (text) => {
      const found = all().filter(({ description }) => description.toLowerCase().includes(text.replaceAll('"', '')))
      const { ids, last } = await readAllPages({ text, pageSize: 20 })
      expect(ids.toSorted()).toEqual(found.map(({ id }) => id).sort())
      expect(plain(last.totals)).toEqual(expectTotals(found))
      const order = (await readAllPages({})).ids
      expect(ids).toEqual(order.filter((id) => ids.includes(id)))
      const row = { connectionId, id: ids.filter((id) => lines.some((line) => line.id === id)).at(-1) as string }
      for (const side of ['after', 'before'] as const) {
        const { rows, place } = await list({ text, pageSize: 20, beside: { side, row } })
        const at = ids.indexOf(row.id)
        const beside = side === 'after' ? ids.slice(at + 1, at + 21) : ids.slice(Math.max(0, at - 20), at)
        expect(rows.map(({ id }) => id)).toEqual(beside)
        expect(place).toBe(side === 'after' ? at + 1 : at - beside.length)
      }
    },
  )
  test('the id finds its line', async () => {
    expect(await search(lines[0]?.id as string)).toEqual([lines[0]?.id])
  })
  test('pattern characters stand for themselves', async () => {
    expect(await search('100%_\\')).toEqual(['hostile'])
    expect(await search('1_0%')).toEqual([])
  })
  test('A14: hostile text is only searched for', async () => {
    expect(await search(`'; drop table line; --`)).toEqual(['hostile'])
    expect((await list({})).allLineCount).toBe(all().length + special.length)
  })
})

describe('order and paging', () => {
  test.each(
    LINE_SORT_KEYS.flatMap((key) => [
      { key, descending: false },
      { key, descending: true },
    ]),
  )('pages by $key (descending: $descending) are complete and never overlap', async (sort) => {
    const { ids, last } = await readAllPages({ sort, pageSize: 25 })
    expect(ids).toHaveLength(all().length)
    expect(new Set(ids).size).toBe(all().length)
    expect(last.pageCount).toBe(Math.ceil(all().length / 25))
  })
  test.each([true, false])(
    'a page by number is the part of the whole list, under any filter (descending: %s)',
    async (descending) => {
      const sort = { key: 'expense_date', descending } as const
      const filters: Partial<LineQuery>[] = [
        {},
        { currencies: ['JPY'] },
        { verticals: ['flight', ''], services: ['hotel', 'flight', ''] },
        { from: day('2026-01-01'), to: day('2026-02-28') },
        { from: day('2026-01-04'), to: day('2026-03-19') },
        { from: day('2026-01-01'), to: day('2026-02-28'), dateField: 'issued' },
        { from: day('2026-01-17'), dateField: 'issued' },
        { text: 'trip' },
        { text: 'item 42', from: day('2026-01-01'), to: day('2026-12-31'), dateField: 'issued' },
      ]
      for (const change of filters) {
        const { ids } = await readAllPages({ sort, ...change })
        expect(ids.length).toBeGreaterThan(0)
        const parts = Array.from({ length: Math.ceil(ids.length / 20) }, (_, at) =>
          list({ sort, ...change, pageSize: 20, page: at + 1 }),
        )
        for (const [at, { rows, place }] of (await Promise.all(parts)).entries()) {
          expect(rows.map(({ id }) => id)).toEqual(ids.slice(at * 20, at * 20 + 20))
          expect(place).toBe(at * 20)
        }
      }
    },
  )
  test.each(
    (['total_amount', 'trip'] as const).flatMap((key) => [
      { key, descending: false },
      { key, descending: true },
    ]),
  )('by $key, a page is whole though lines that gave the limits are gone (descending: $descending)', async (sort) => {
    const before = await readAllPages({ sort })
    const gone = before.ids.filter((_, at) => at % 3 !== 2)
    const mark = (since: string) =>
      database.query(
        `update line set missing_since = ${since} where organization_id = $1 and connection_id = any ($2) and id = any ($3)`,
        [organizationId, [connectionId, otherConnectionId], gone],
      )
    await mark('now()')
    const { ids } = await readAllPages({ sort })
    expect(ids).toEqual(before.ids.filter((id) => !gone.includes(id)))
    for (let page = 1; (page - 1) * 10 < ids.length; page++) {
      const { rows } = await list({ sort, pageSize: 10, page })
      expect(rows.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 10, page * 10))
    }
    await mark('null')
    expect((await readAllPages({ sort })).ids).toEqual(before.ids)
  })
  test('by trip, a line stands where its own name puts it, though its trip has another name since', async () => {
    const renamed = [
      makeLine({ id: 'renamed-1', tripId: 'renamed', tripName: 'A first name', expenseDate: day('2026-01-02') }),
      makeLine({ id: 'renamed-2', tripId: 'renamed', tripName: 'Zz a later name', expenseDate: day('2026-02-02') }),
    ]
    await seedLines(organizationId, connectionId, renamed)
    const up = await list({ sort: { key: 'trip', descending: false }, pageSize: 10 })
    const down = await list({ sort: { key: 'trip', descending: true }, pageSize: 10 })
    expect([up.rows[0]?.id, down.rows[0]?.id]).toEqual(['renamed-1', 'renamed-2'])
    await database.query(`delete from line where trip_id = 'renamed'`)
  })
  test('sorts by total within each currency', async () => {
    for (const descending of [true, false]) {
      const { rows } = await list({ sort: { key: 'total_amount', descending } })
      const shown = rows.map((row) => [row.currency, Number(row.totalAmount)] as const)
      const sign = descending ? -1 : 1
      expect(shown).toEqual(shown.toSorted((a, b) => a[0].localeCompare(b[0]) || sign * (a[1] - b[1])))
    }
  })
  test('sorts by difference: unexplained lines of all currencies before explained ones, each by size', async () => {
    const explain = (codes: string) =>
      database.query(
        `update line set explained_codes = ${codes} where organization_id = $1 and finding_count > 0 and md5(id) < '8'`,
        [organizationId],
      )
    await explain('finding_codes')
    const states = new Set<number>()
    for (const descending of [true, false]) {
      const { rows } = await list({ sort: { key: 'difference', descending } })
      // the larger difference of the two, whatever its sign: clean lines come last
      const toFigure = (row: LineRow) => Math.max(Math.abs(Number(row.difference)), Math.abs(Number(row.taxDifference)))
      const shown = rows.map((line) => [STATES.indexOf(stateOf({ line })), line.currency, toFigure(line)] as const)
      const sign = descending ? -1 : 1
      expect(shown).toEqual(
        shown.toSorted((a, b) => -sign * (a[0] - b[0]) || a[1].localeCompare(b[1]) || sign * (a[2] - b[2])),
      )
      for (const [state] of shown) states.add(state)
    }
    await explain('null')
    expect(states.size).toBeGreaterThan(2)
  })
  test.each(
    LINE_SORT_KEYS.flatMap((key) => [
      { key, descending: false },
      { key, descending: true },
    ]),
  )('by $key (descending: $descending) each line leads to those after and before it', async (sort) => {
    const { ids } = await readAllPages({ sort })
    const on: string[] = []
    const back: string[] = []
    for (let row: RowKey | null = null; ; ) {
      const { rows, place }: LineList = await list({ sort, pageSize: 60, beside: row && { side: 'after', row } })
      expect(place).toBe(on.length)
      on.push(...rows.map(({ id }) => id))
      row = rows.at(-1) ?? null
      if (row === null || on.length >= ids.length) break
    }
    for (let row: RowKey | null = null; back.length < ids.length; ) {
      const { rows, place }: LineList = await list({ sort, pageSize: 60, beside: { side: 'before', row } })
      back.unshift(...rows.map(({ id }) => id))
      expect(place).toBe(ids.length - back.length)
      row = rows[0] ?? null
      if (row === null) break
    }
    expect(on).toEqual(ids)
    expect(back).toEqual(ids)
  })
  test('the page beside a line is that of its filters and its search, wherever the line stands', async () => {
    const sort: LineQuery['sort'] = { key: 'cost_center', descending: true }
    for (const filters of [{ currencies: ['JPY'] }, { text: 'trip' }, { verticals: ['flight', ''] }]) {
      const whole = await list({ ...filters, sort })
      for (const at of [0, 7]) {
        const row = whole.rows[at] as LineRow
        const beside = { side: 'after', row } as const
        const { rows, place, lineCount } = await list({ ...filters, sort, beside, pageSize: 30 })
        expect(rows).toEqual(whole.rows.slice(at + 1, at + 31))
        expect([place, lineCount]).toEqual([at + 1, whole.lineCount])
        expect(await listLineRows(organizationId, { ...DEFAULT_LINE_QUERY, ...filters, sort, beside })).toEqual(
          whole.rows.slice(at + 1, at + 51),
        )
      }
    }
  })
  test('beside a line that is not there any more, or another organization’s, the list starts anew', async () => {
    const first = await list({})
    for (const row of [
      { connectionId, id: 'never there' },
      { connectionId: 'no account', id: 'never there' },
      { connectionId: stranger.connectionId, id: 'theirs' },
    ])
      for (const side of ['after', 'before'] as const) {
        const { rows, place } = await list({ beside: { side, row }, page: 3 })
        expect([rows[0]?.id, place]).toEqual([first.rows[0]?.id, 0])
      }
  })
  test('unknown values come last in both directions', async () => {
    for (const descending of [true, false]) {
      const { ids } = await readAllPages({ sort: { key: 'vertical', descending } })
      const byId = new Map(all().map((line) => [line.id, line.relatedVertical]))
      const firstUnknown = ids.findIndex((id) => byId.get(id) === null)
      expect(ids.slice(firstUnknown).every((id) => byId.get(id) === null)).toBe(true)
    }
  })
  test('a page after the last is empty, but still has totals', async () => {
    const found = await list({ page: 999_999 })
    expect(found.rows).toEqual([])
    expect(found.lineCount).toBe(all().length)
  })
})

describe('another organization', () => {
  test('A8: its lines are in no list, count, total or filter', async () => {
    expect(await list({ connections: [stranger.connectionId] })).toMatchObject({
      rows: [],
      lineCount: 0,
      totals: [],
      allLineCount: all().length,
    })
    expect(await list({ trips: ['their-trip'] })).toMatchObject({ rows: [], lineCount: 0 })
    expect(await list({ text: 'theirs' })).toMatchObject({ rows: [], lineCount: 0 })
  })
  test('A8: its line is not found by its ids', async () => {
    expect(await getLine(organizationId, stranger.connectionId, 'theirs')).toBeNull()
    expect(await getLine(stranger.organizationId, stranger.connectionId, 'theirs')).toMatchObject({ id: 'theirs' })
  })
  test('A14: hostile ids and filters find nothing and break nothing', async () => {
    for (const hostile of [`' or true --`, '\0', '00000000', '$1', `${connectionId}' or '1'='1`]) {
      expect(await getLine(organizationId, hostile, 'theirs')).toBeNull()
      expect(await getLine(organizationId, connectionId, hostile)).toBeNull()
      const raw = Object.fromEntries(
        ['connection', 'vertical', 'cost_center', 'trip', 'status', 'mode', 'profile', 'service', 'invoice'].map(
          (name) => [name, hostile],
        ),
      )
      const found = await listLines(
        organizationId,
        parseLineQuery({ ...raw, sort: hostile, page: hostile, size: hostile, from: hostile }),
      )
      if (hostile !== '\0') expect(found).toMatchObject({ rows: [], lineCount: 0, allLineCount: all().length })
    }
  })
})

test('F25: a value that only lines no longer on the platform have is no choice of a filter', async () => {
  const owner = await seedOrganization(database.query, 'With lines that go')
  const connection = await seedConnection(database.query, owner)
  await seedLines(owner.organizationId, connection, [
    makeLine({ id: 'only', service: 'zeppelin', tripId: '777777', tripName: 'Airship' }),
  ])
  const isOffered = async () => [
    (await listFilterOptions({ ...owner, foldsNames: false })).services.some(({ value }) => value === 'zeppelin'),
    (await searchFilterOptions({ ...owner, foldsNames: false }, 'trips', 'Airship', 20)).length > 0,
  ]
  expect(await isOffered()).toEqual([true, true])
  await database.query('update line set missing_since = now() where connection_id = $1', [connection])
  expect(await isOffered()).toEqual([false, false])
})

test('F25: what the platform no longer has is in no list, total or file, and stays stored', async () => {
  const before = await listLines(organizationId, DEFAULT_LINE_QUERY)
  const gone = before.rows[0]
  const key = [organizationId, gone?.connectionId, gone?.id]
  const mark = 'update line set missing_since = $4 where organization_id = $1 and connection_id = $2 and id = $3'
  await database.query(mark, [...key, new Date()])
  try {
    const after = await listLines(organizationId, DEFAULT_LINE_QUERY)
    expect(after.rows.map(({ id }) => id)).not.toContain(gone?.id)
    expect([after.lineCount, after.allLineCount]).toEqual([before.lineCount - 1, before.allLineCount - 1])
    expect(await getLine(organizationId, gone?.connectionId as string, gone?.id as string)).not.toBeNull()
  } finally {
    await database.query(mark, [...key, null])
  }
})
