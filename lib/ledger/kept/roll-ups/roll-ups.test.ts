import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { toKeyedRows } from '../../conditions/group-key-columns.ts'
import { chooseLineSource } from '../../conditions/line-source.ts'
import { DEFAULT_GROUP_QUERY, FILTER_OF, GROUP_SORT_KEYS, type GroupQuery } from '../../query/group-query.ts'
import { SUMMARY_KEYS, type SummaryKey } from '../../query/summary-query.ts'
import { listGroups } from '../../read/list-groups.ts'
import { summarizeLines } from '../../read/summarize-lines.ts'
import { createSqlParameters } from '../../sql/sql-parameters.ts'
import { type Held, isShared, listValues } from '../../test-support/group-values.ts'
import { listRollupDifferences } from '../../test-support/rollup-differences.ts'
import { applyLines, day, makeLineOf, seedConnection, seedLines, seedOrganization } from '../../test-support/seed.ts'
import {
  countStates,
  createRandom,
  expectTotals,
  makeVariedLines,
  sumExactly,
  toPlainValue,
} from '../../test-support/seed-varied-lines.ts'
import { noteMonthSums } from '../month-sums/note-month-sums.ts'

const QUESTIONS_PER_CHANGE = 125

let database: TestDatabase
let organizationId: OrganizationId
let accounts: ConnectionId[]
/** What the platform has now, by account and id. */
const held = new Map<string, { connectionId: ConnectionId; line: ProvedLine }>()
const random = createRandom(11)
const pick = <T>(from: readonly T[]) => from[random(from.length)] as T
const keyOf = (connectionId: ConnectionId, { id }: ProvedLine) => `${connectionId} ${id}`
const listHeld = (connectionId?: ConnectionId) =>
  [...held.values()].filter((each) => connectionId === undefined || each.connectionId === connectionId)

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  accounts = [await seedConnection(database.query, owner), await seedConnection(database.query, owner, 'Acme Asia')]
  const other = await seedOrganization(database.query, 'Stranger')
  await seedLines(other.organizationId, await seedConnection(database.query, other), makeVariedLines(30, 5))
})
afterAll(() => database.drop())

async function store(connectionId: ConnectionId, lines: ProvedLine[]): Promise<void> {
  await seedLines(organizationId, connectionId, lines)
  for (const line of lines) held.set(keyOf(connectionId, line), { connectionId, line })
}

/** Some of what is held, changed as told; the platform says so by another text. */
async function change(to: (line: ProvedLine, donor: ProvedLine) => Partial<ProvedLine>): Promise<void> {
  const donors = makeVariedLines(60, random(1_000_000))
  for (const connectionId of accounts) {
    const some = listHeld(connectionId).filter(() => random(4) === 0)
    const changed = some.map(({ line }, at) => {
      const raw = JSON.stringify({ id: line.id, now: random(1_000_000) })
      const parts = to(line, donors[at % donors.length] as ProvedLine)
      return {
        ...line,
        ...parts,
        raw,
        contentHash: raw,
        textHash: Buffer.from(raw).toString('hex').slice(0, 64).padEnd(64, '0'),
      }
    })
    await store(connectionId, changed)
  }
}

const CHANGES: Record<string, () => Promise<void>> = {
  insert: async () => {
    await store(accounts[0] as ConnectionId, makeVariedLines(260))
    await store(accounts[1] as ConnectionId, makeVariedLines(110, 8))
  },
  'keys changed': () =>
    change((_line, donor) => ({
      relatedVertical: donor.relatedVertical,
      costCenter: donor.costCenter,
      tripId: donor.tripId,
      tripName: donor.tripName,
      invoiceSerialNumber: donor.invoiceSerialNumber,
      invoiceStatus: donor.invoiceStatus,
      profileId: donor.profileId,
      service: donor.service,
      expenseDate: donor.expenseDate,
      issuingDate: donor.issuingDate,
    })),
  'amounts changed': () =>
    change((_line, { currency, quantity, unitPrice, taxPercentage, taxAmount, totalAmount, proof, explanations }) => ({
      currency,
      quantity,
      unitPrice,
      taxPercentage,
      taxAmount,
      totalAmount,
      proof,
      explanations,
    })),
  missing: async () => {
    const gone = listHeld().filter(() => random(3) === 0)
    await withTenantSql(organizationId, (sql) =>
      sql(`update line set missing_since = now() where organization_id = $1 and id = any($2::text[])`, [
        organizationId,
        gone.map(({ line }) => line.id),
      ]),
    )
    for (const { connectionId, line } of gone) {
      held.delete(keyOf(connectionId, line))
      away.push({ connectionId, line })
    }
  },
  'back again': async () => {
    for (const connectionId of accounts)
      await store(
        connectionId,
        away.filter((each) => each.connectionId === connectionId).map(({ line }) => line),
      )
  },
  're-proved': async () => {
    await database.query(
      `update line set proof_version = 0, finding_codes = '{total}', difference = 1 where organization_id = $1`,
      [organizationId],
    )
    expect(await listRollupDifferences(database.query)).toEqual([])
    for (const connectionId of accounts)
      await store(
        connectionId,
        listHeld(connectionId).map(({ line }) => line),
      )
  },
  erased: async () => {
    const [, connectionId] = accounts
    const batch = 'select ctid from line where organization_id = $1 and connection_id = $2 limit 40'
    const erase = `delete from line where organization_id = $1 and ctid = any (array(${batch})) returning 1`
    while ((await database.query(erase, [organizationId, connectionId])).length > 0)
      expect(await listRollupDifferences(database.query)).toEqual([])
    // what lines were goes with them
    for (const table of ['line_version', 'line_past'])
      await database.query(`delete from ${table} where connection_id = $1`, [connectionId])
    for (const each of listHeld(connectionId)) {
      held.delete(keyOf(each.connectionId, each.line))
      away.push(each)
    }
  },
  restored: async () => {
    const [, connectionId] = accounts
    const lines = away.filter((each) => each.connectionId === connectionId).map(({ line }) => line)
    await store(connectionId as ConnectionId, [...new Map(lines.map((line) => [line.id, line])).values()])
  },
}
const away: { connectionId: ConnectionId; line: ProvedLine }[] = []

/** How each filter is asked at random, and what it lets through. */
const FILTERS: { ask: () => Partial<GroupQuery>; lets: (each: Held, query: GroupQuery) => boolean }[] = [
  ...GROUP_KEYS.map(filterOf),
  {
    ask: () => ({ currencies: [...new Set([0, 1].map(() => pick(listHeld()).line.currency))] }),
    lets: ({ line }, { currencies }) => currencies.length === 0 || currencies.includes(line.currency),
  },
  {
    ask: () => ({ statuses: [pick(listHeld()).line.invoiceStatus ?? ''] }),
    lets: ({ line }, { statuses }) => statuses.length === 0 || statuses.includes(line.invoiceStatus ?? ''),
  },
  {
    ask: () => ({ modes: [pick(listHeld()).line.invoiceMode ?? ''] }),
    lets: ({ line }, { modes }) => modes.length === 0 || modes.includes(line.invoiceMode ?? ''),
  },
  {
    ask: () => ({ findingsOnly: true }),
    lets: ({ line }, { findingsOnly }) => !findingsOnly || line.proof.findings.length > 0,
  },
  {
    ask: () => ({ outcomes: pick([['unexplained'], ['explained'], ['unexplained', 'explained']]) }),
    lets: ({ line }, { outcomes }) =>
      outcomes.length === 0 ||
      (line.explanations.length > 0 &&
        outcomes.includes(line.explanations.every(({ isExplained }) => isExplained) ? 'explained' : 'unexplained')),
  },
  {
    ask: () => ({
      from: pick([null, day('2026-01-01'), day('2026-02-01'), day('2026-01-04'), day('2026-01-17')]),
      to: pick([null, day('2026-02-28'), day('2026-03-31'), day('2026-03-19'), day('2026-06-12')]),
      dateField: pick(['expense', 'issued']),
    }),
    lets: ({ line }, { from, to, dateField }) => {
      const on = dateField === 'issued' ? line.issuingDate : line.expenseDate
      if (from === null && to === null) return true
      return on !== null && (from === null || on >= from) && (to === null || on <= to)
    },
  },
]

function filterOf(key: GroupKey): (typeof FILTERS)[number] {
  const name = FILTER_OF[key]
  return {
    ask: () => ({ [name]: [...new Set([0, 1].map(() => pick(listValues(key, pick(listHeld()))) ?? ''))] }),
    lets: (each, query) =>
      query[name].length === 0 || listValues(key, each).some((value) => query[name].includes(value ?? '')),
  }
}

function askAtRandom(): GroupQuery {
  const asked = FILTERS.filter(() => random(12) === 0).map(({ ask }) => ask())
  const sort = { key: pick([...GROUP_SORT_KEYS, 'total_JPY'] as const), descending: random(2) === 0 }
  return Object.assign({}, DEFAULT_GROUP_QUERY, { by: [pick(GROUP_KEYS)], pageSize: 200, sort }, ...asked)
}

const NAMES = ['Acme Europe', 'Acme Asia']

function nameOf(key: GroupKey, value: string | null, own: ProvedLine[]): string | null {
  if (key === 'connection') return NAMES[accounts.indexOf(value as ConnectionId)] ?? null
  if (key === 'profile') return 'Acme GmbH'
  const names = own.flatMap(({ expenseDate, tripName }) => (tripName === null ? [] : `${expenseDate} ${tripName}`))
  return key === 'trip' ? (names.sort().at(-1)?.slice(11) ?? null) : null
}

function answerByHand(query: GroupQuery) {
  const [key = 'trip'] = query.by
  const found = listHeld().filter((each) => FILTERS.every(({ lets }) => lets(each, query)))
  // of what a line shares, only what is asked for
  const asked = isShared(key) ? query[FILTER_OF[key]] : []
  const valuesOf = (each: Held) => {
    const values = listValues(key, each)
    const among = values.filter((value) => value !== null && asked.includes(value))
    return asked.length === 0 || values[0] === null ? values : among
  }
  const groups = [...new Set(found.flatMap(valuesOf))].map((value) => {
    const own = found.filter((each) => valuesOf(each).includes(value)).map(({ line }) => line)
    return {
      value,
      label: nameOf(key, value, own),
      lineCount: own.length,
      findingCount: own.reduce((count, { proof }) => count + proof.findings.length, 0),
      lineStates: countStates(own),
      totals: [...new Set(own.map(({ currency }) => currency))].sort().map((currency) => {
        const same = own.filter((line) => line.currency === currency)
        return { currency, totalAmount: sumExactly(same.map((line) => line.totalAmount)), lineCount: same.length }
      }),
    }
  })
  const lines = found.map(({ line }) => line)
  return { totals: expectTotals(lines), groups: byValue(groups), lineCount: lines.length }
}

const SUMMED: Record<SummaryKey, (line: ProvedLine) => string | null> = {
  month: ({ expenseDate }) => expenseDate.slice(0, 7),
  currency: ({ currency }) => currency,
  vertical: ({ relatedVertical }) => relatedVertical,
  cost_center: ({ costCenter }) => costCenter,
  service: ({ service }) => service,
  profile: ({ profileId }) => profileId,
  status: ({ invoiceStatus }) => invoiceStatus,
  mode: ({ invoiceMode }) => invoiceMode,
  tax_regime: ({ taxRegime }) => taxRegime,
  tax_percentage: ({ taxPercentage }) => toPlainValue(taxPercentage),
  trip: ({ tripId }) => tripId,
}

async function expectSummary(question: GroupQuery): Promise<void> {
  const by = [...new Set([pick(SUMMARY_KEYS), pick(SUMMARY_KEYS)])]
  const { rows, isWhole } = await summarizeLines(organizationId, { ...question, by })
  expect(isWhole).toBe(true)
  const parts = new Map<string, ProvedLine[]>()
  for (const { line } of listHeld().filter((each) => FILTERS.every(({ lets }) => lets(each, question)))) {
    const cell = JSON.stringify([by.map((key) => SUMMED[key](line)), line.currency])
    parts.set(cell, [...(parts.get(cell) ?? []), line])
  }
  const expected = [...parts].map(([cell, lines]) => ({
    cell,
    lineCount: lines.length,
    totalAmount: sumExactly(lines.map(({ totalAmount }) => totalAmount)),
    findingCount: lines.reduce((count, { proof }) => count + proof.findings.length, 0),
    lineStates: countStates(lines),
  }))
  const found = rows.map(({ values, currency, totalAmount, ...counts }) => ({
    cell: JSON.stringify([values, currency]),
    totalAmount: toPlainValue(totalAmount),
    ...counts,
  }))
  expect(byCell(found), JSON.stringify({ ...question, by })).toEqual(byCell(expected))
}

const byCell = <T extends { cell: string }>(rows: T[]) => rows.toSorted((a, b) => (a.cell < b.cell ? -1 : 1))

const byValue = <T extends { value: string | null }>(groups: T[]) =>
  groups.toSorted((a, b) => (String(a.value) < String(b.value) ? -1 : 1))

async function expectAnswer(query: GroupQuery): Promise<void> {
  const { rows, totals, groupCount } = await listGroups(organizationId, query)
  const expected = answerByHand(query)
  const found = rows.map(({ values: [of], lineCount, findingCount, lineStates, totals: own }) => ({
    value: of?.value ?? null,
    label: of?.label ?? null,
    lineCount,
    findingCount,
    lineStates,
    totals: own.map((total) => ({ ...total, totalAmount: toPlainValue(total.totalAmount) })),
  }))
  const asked = JSON.stringify(query)
  expect(byValue(found), asked).toEqual(expected.groups)
  expect(groupCount, asked).toBe(expected.groups.length)
  expect(
    totals.map((total) => ({ ...total, totalAmount: toPlainValue(total.totalAmount) })),
    asked,
  ).toEqual(expected.totals)
}

const toSource = (query: GroupQuery) =>
  chooseLineSource(query, toKeyedRows(query.by[0] ?? 'trip', query, createSqlParameters(), () => 'null').columns)

test.each(Object.keys(CHANGES))(
  `roll-ups equal recomputation after: %s`,
  async (name) => {
    await CHANGES[name]?.()
    expect(await listRollupDifferences(database.query)).toEqual([])
    const asked = Array.from({ length: QUESTIONS_PER_CHANGE }, askAtRandom)
    const sources = new Set(asked.map((query) => toSource(query).name))
    expect(sources.size, 'the questions use the lines and several roll-ups').toBeGreaterThan(3)
    for (const [nth, query] of asked.entries()) {
      // from then on by sums of months, which answer what these roll-ups do not
      if (nth === QUESTIONS_PER_CHANGE / 5)
        for (const connectionId of accounts) await noteMonthSums({ organizationId, connectionId })
      await expectAnswer(query)
      if (random(3) === 0) await expectSummary(query)
    }
  },
  120_000,
)

test('days that are taken away from a sum leave no empty group behind', async () => {
  const [line] = makeVariedLines(1, 5) as [ProvedLine]
  const [connectionId] = accounts as [ConnectionId]
  await store(connectionId, [{ ...line, id: 'cruise-1', relatedVertical: 'cruise', expenseDate: day('2026-01-02') }])
  const question = { ...DEFAULT_GROUP_QUERY, by: ['vertical' as const], from: day('2026-01-03') }
  expect(chooseLineSource(question, ['related_vertical']).name).toBe('days_vertical, days')
  expect((await listGroups(organizationId, question)).rows.map(({ values: [of] }) => of?.value)).not.toContain('cruise')
  const summary = await summarizeLines(organizationId, question)
  expect(summary.rows.map(({ values: [value] }) => value)).not.toContain('cruise')
  await expectAnswer(question)
  await expectAnswer({ ...question, from: day('2026-01-02') })
})

test('amounts that change and keep their sum move the limits of their invoice', async () => {
  const [connectionId] = accounts as [ConnectionId]
  const invoiceSerialNumber = 'INV-OF-TWO'
  const ids = ['two-1', 'two-2']
  await store(
    connectionId,
    ids.map((id, at) => makeLineOf(at === 0 ? '90.00' : '110.00', { id, invoiceSerialNumber })),
  )
  await database.query('update line set total_amount = case id when $1 then 10 else 190 end where id = any ($2)', [
    ids[0],
    ids,
  ])
  expect(await listRollupDifferences(database.query)).toEqual([])
  await database.query('delete from line where id = any ($1)', [ids])
  for (const id of ids) held.delete(`${connectionId} ${id}`)
})

const VERSIONS = ['line_rollup', 'trip_rollup', 'invoice_rollup']
  .map((table) => `select '${table}' as name, xmin::text, ctid::text from ${table}`)
  .join(' union all ')

test('an unchanged sync writes nothing into the roll-ups', async () => {
  const before = await database.query(`${VERSIONS} order by 1, 3`)
  for (const connectionId of accounts) {
    const lines = listHeld(connectionId).map(({ line }) => line)
    expect(await seedLines(organizationId, connectionId, lines)).toMatchObject({ inserted: 0, updated: 0 })
  }
  expect(await database.query(`${VERSIONS} order by 1, 3`)).toEqual(before)
})

test('roll-ups stay exact, and every reader sees them so, with two writers of one account at once', async () => {
  const [connectionId] = accounts as [ConnectionId]
  const lines = listHeld(connectionId).map(({ line }) => line)
  const write = async (seed: number) => {
    const own = createRandom(seed)
    for (let round = 0; round < 12; round++) {
      const donors = makeVariedLines(40, own(1_000_000))
      const changed = donors.map((donor, at) => ({ ...donor, id: (lines[at * 3 + own(3)] as ProvedLine).id }))
      await seedLines(organizationId, connectionId, changed)
    }
  }
  let isDone = false
  const read = async () => {
    while (!isDone) expect(await listRollupDifferences(database.query)).toEqual([])
  }
  const writers = Promise.all([write(1), write(2)]).finally(() => {
    isDone = true
  })
  await Promise.all([writers, read()])
  expect(await listRollupDifferences(database.query)).toEqual([])
}, 120_000)

test('a writer killed between any two statements changes neither lines nor roll-ups', async () => {
  const [connectionId] = accounts as [ConnectionId]
  const lines = makeVariedLines(40, 99)
  const before = await database.query(`${VERSIONS} order by 1, 3`)
  let survived = 0
  for (let at = 0; survived === 0; at++) {
    let count = 0
    const write = withTenantSql(organizationId, (sql) => {
      const mortal = Object.assign(
        async (text: string, values?: unknown[]) => {
          if (count++ === at) await kill(sql)
          return sql(text, values)
        },
        { client: sql.client },
      ) as Sql
      return applyLines(mortal, { organizationId, connectionId, lines })
    })
    const outcome = await write.then(
      () => 'written',
      () => 'killed',
    )
    if (outcome === 'killed') expect(await database.query(`${VERSIONS} order by 1, 3`)).toEqual(before)
    else survived = at
  }
  expect(survived, 'statements of one write').toBeGreaterThan(2)
  expect(await listRollupDifferences(database.query)).toEqual([])
})

test('a connection deleted as a whole leaves no sum and no record behind', async () => {
  const [connectionId] = accounts
  await database.query('delete from connection where id = $1', [connectionId])
  for (const table of ['line', 'line_payload', 'line_rollup', 'trip_rollup', 'invoice_rollup'])
    expect(await database.query(`select from ${table} where connection_id = $1`, [connectionId])).toEqual([])
  expect(await listRollupDifferences(database.query)).toEqual([])
})

/** Ends the session in the server, as the death of its worker does. */
async function kill(sql: Sql): Promise<void> {
  const [backend] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
  await database.query('select pg_terminate_backend($1, 5000)', [backend?.pid])
}
