/** A random history of two accounts, and bridges between any two of its moments. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'
import { listLineNotes } from '#lib/reconcile/line-notes.ts'
import { proveLine } from '#lib/reconcile/line-proof.ts'
import { MOMENT_PARTS, type MomentBridge, type MomentPart } from '#lib/reconcile/moments/moment-bridge.ts'
import { type DecimalText, toUnits } from '#lib/reconcile/money.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { keyOf, markMissing, unmark } from '../apply/mark-missing.ts'
import { compareFigures, type FigureDifference } from '../kept/compare-figures.ts'
import type { MomentLine } from '../model.ts'
import { MOMENT_LINES_PER_PAGE, type MomentQuery, type MomentScope } from '../query/moments/moment-query.ts'
import { setCheck } from '../rules/change-rules.ts'
import { judgeOrganization } from '../rules/judge-lines.ts'
import { applyLines, day, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { readMoments } from './moments.ts'

const LINE_COUNT = 60
const STEP_COUNT = 140
const PAIR_COUNT = 1000
const STRETCH = 100_000
const COST_CENTERS = ['4100', '4200', null]
const TRIPS = ['T1', 'T2', 'T3', null]
const PROFILES = ['P1', 'P2']
const ISSUED = ['2026-07-31', '2026-08-31', '2026-09-30', null]
const SPENT = ['2026-07-04', '2026-08-14', '2026-09-24']

/** What the model keeps of a line: the record's text as received, and what became of it. */
type Held = { account: number; text: string; isGone: boolean; isNoted: boolean }
type World = ReadonlyMap<string, Held>
type Moment = { at: string; world: World }

let database: TestDatabase
let organizationId: OrganizationId
let connectionIds: ConnectionId[]
const moments: Moment[] = []
const keptArrivals: FigureDifference[] = []

/** A seeded stream of numbers below 1 (Mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
const random = createRandom(31)
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
const chance = (share: number) => random() < share

/** Any record that the platform may send of a line; one in three does not add up by a cent. */
function sendAny(id: string): string {
  const amount = (chance(0.2) ? -1 : 1) * (100 + Math.floor(random() * 4) * 100)
  return JSON.stringify({
    id,
    invoice_serial_number: `INV-${Math.floor(random() * 5)}`,
    profile_id: pick(PROFILES),
    issuing_date: pick(ISSUED),
    currency: chance(0.75) ? 'EUR' : 'USD',
    expense_date: pick(SPENT),
    description: `as of ${random()}`,
    quantity: '1',
    unit_price: (amount / 100 - (chance(0.33) ? 0.01 : 0)).toFixed(2),
    non_taxable_unit_price: '0.00',
    tax_percentage: '0',
    tax_amount: '0.00',
    total_amount: (amount / 100).toFixed(2),
    metadata: { cost_center: pick(COST_CENTERS), trip_id: pick(TRIPS) },
  })
}

/** The same record with another cost center, trip, profile or day; or another name alone. */
function sendMoved(text: string): string {
  const record = JSON.parse(text)
  const change = pick(['cost_center', 'trip', 'profile', 'issued', 'spent', 'name'] as const)
  if (change === 'cost_center') record.metadata.cost_center = pick(COST_CENTERS)
  else if (change === 'trip') record.metadata.trip_id = pick(TRIPS)
  else if (change === 'profile') record.profile_id = pick(PROFILES)
  else if (change === 'issued') record.issuing_date = pick(ISSUED)
  else if (change === 'spent') record.expense_date = pick(SPENT)
  else record.description = `renamed ${random()}`
  return JSON.stringify(record)
}

function toProved(text: string): ProvedLine {
  const parsed = parseLine(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  const { line } = parsed
  const proof = proveLine(line)
  return { ...line, proof, explanations: explainLine(line, proof), notes: listLineNotes(line) }
}

const asText = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** On a cluster what reads no table is told the coordinator's clock, else the node's. */
async function readTime(sql: Sql, clock: string, from = ''): Promise<string> {
  const [row] = await sql<{ at: string }>(`select ${asText(clock)} as at ${from}`)
  return row?.at as string
}

/** Writes as a sync does, in one transaction; resolves to its moment, as the lines' node has it. */
async function write(work: (sql: Sql) => Promise<unknown>): Promise<string> {
  return withTenantSql(organizationId, async (sql) => {
    await work(sql)
    return readTime(sql, 'now()', `from connection where organization_id = '${organizationId}' limit 1`)
  })
}

/** A verification that has met all but these lines, as far as they are here. */
async function loseLines(account: number, met: string[]): Promise<string> {
  const owner = { organizationId, connectionId: connectionIds[account] as ConnectionId }
  await database.query(
    `update sync_run set status = 'succeeded', finished_at = now() where organization_id = $1 and connection_id = $2`,
    [organizationId, owner.connectionId],
  )
  const [run] = await database.query<{ id: RunId }>(
    `insert into sync_run (organization_id, connection_id, kind, trigger, status)
     values ($1, $2, 'verification', 'manual', 'running') returning id`,
    [organizationId, owner.connectionId],
  )
  const runId = run?.id as RunId
  await database.query(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, received, inserted, updated, unchanged,
       duplicate, rejected, key_hashes)
     select $1::uuid, $2::uuid, 1, 'lines', 1, 0, 0, 0, 0, 0, 0, 0, coalesce((select array_agg(${keyOf('id')}) from unnest($3::text[]) id), '{}')`,
    [organizationId, runId, met],
  )
  return write((sql) =>
    markMissing(sql, 'lines', { ...owner, runId, startedAt: new Date(Date.now() + 1000), scope: { isAll: true } }),
  )
}

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  const world = new Map<string, Held>()
  const remember = (at: string) => moments.push({ at, world: new Map(world) })
  const readClock = () => withTenantSql(organizationId, (sql) => readTime(sql, 'clock_timestamp()'))
  remember(await readClock())
  connectionIds = [await seedConnection(database.query, owner, 'First')]
  remember(await readClock())

  let isNoted = false
  for (let step = 0; step < STEP_COUNT; step += 1) {
    // the second account comes later, with lines of the same ids
    if (step === 40) connectionIds.push(await seedConnection(database.query, owner, 'Second'))
    const account = Math.floor(random() * connectionIds.length)
    const toKey = (id: string) => `${account}~${id}`
    const here = [...world].filter(([, held]) => held.account === account).map(([key]) => key.slice(2))
    const present = here.filter((id) => !world.get(toKey(id))?.isGone)
    const kind = pick([
      'arrive',
      'arrive',
      'change',
      'change',
      'move',
      'move',
      'lose',
      'return',
      'take back',
      'judge',
    ] as const)
    if (kind === 'judge') {
      isNoted = !isNoted
      const cent = '0.01' as DecimalText
      const tolerance: Record<string, DecimalText> = isNoted ? { EUR: cent, USD: cent } : {}
      await setCheck({ organizationId, actor: personOf(owner.userId) }, 'line_total', { level: 'finding', tolerance })
      await judgeOrganization(organizationId)
      for (const [key, held] of world) world.set(key, { ...held, isNoted })
      remember(await readClock())
    } else if (kind === 'lose') {
      const lost = present.filter(() => chance(0.15))
      const at = await loseLines(
        account,
        present.filter((id) => !lost.includes(id)),
      )
      for (const id of lost) world.set(toKey(id), { ...(world.get(toKey(id)) as Held), isGone: true })
      remember(at)
    } else if (kind === 'take back') {
      // what one verification lost comes back at once
      const owned = { organizationId, connectionId: connectionIds[account] as ConnectionId }
      const [last] = await database.query<{ at: string }>(
        'select max(missing_since)::text as at from line where organization_id = $1 and connection_id = $2',
        [organizationId, owned.connectionId],
      )
      if (last?.at == null) continue
      const back = await database.query<{ id: string }>(
        'select id from line where organization_id = $1 and connection_id = $2 and missing_since = $3::timestamptz',
        [organizationId, owned.connectionId, last.at],
      )
      const at = await write((sql) => unmark(sql, owned, '$3::timestamptz', [last.at]))
      for (const { id } of back) world.set(toKey(id), { ...(world.get(toKey(id)) as Held), isGone: false })
      remember(at)
    } else {
      // some come so late that nothing happens to them
      const sent = Math.ceil((LINE_COUNT * (step + 10)) / STEP_COUNT)
      const unseen = Array.from({ length: sent }, (_, at) => `L${at}`).filter((id) => !here.includes(id))
      const gone = here.filter((id) => world.get(toKey(id))?.isGone)
      const from = kind === 'arrive' ? unseen : kind === 'return' ? gone : present
      const ids = from.filter(() => chance(kind === 'arrive' ? 0.25 : 0.3))
      const texts = ids.map((id) => {
        const before = world.get(toKey(id))?.text
        if (before === undefined || (kind === 'change' && chance(0.7))) return sendAny(id)
        return kind === 'return' && chance(0.5) ? before : sendMoved(before)
      })
      const lines = texts.map(toProved)
      const at = await write((sql) =>
        applyLines(sql, { organizationId, connectionId: connectionIds[account] as ConnectionId, lines }),
      )
      for (const [index, id] of ids.entries())
        world.set(toKey(id), { account, text: texts[index] as string, isGone: false, isNoted })
      remember(at)
    }
  }
  remember(await readClock())
  for (const connectionId of connectionIds)
    keptArrivals.push(...(await compareFigures(organizationId, connectionId)).filter(isOfArrivals))
  await stretchDays()
})
afterAll(() => database.drop())

const isOfArrivals = ({ name }: FigureDifference) => name === 'arrival sum'

/** Seconds become days, as a ledger has them: of most days no line is read, but what it brought. */
async function stretchDays() {
  const [clock] = await database.query<{ at: string }>(`select now()::text as at`)
  // by no function that depends on a setting: a cluster takes none of a column in an UPDATE
  const toPlain = (at: string) => `(${at} at time zone 'UTC')`
  const stretch = (at: string) =>
    `(${toPlain('$1::timestamptz')} - (${toPlain('$1::timestamptz')} - ${toPlain(at)}) * ${STRETCH}) at time zone 'UTC'`
  const values = [clock?.at, organizationId]
  for (const [table, column] of [
    ['line', 'first_seen_at'],
    ['line_past', 'until'],
    ['connection', 'created_at'],
  ] as const)
    await database.query(`update ${table} set ${column} = ${stretch(column)} where organization_id = $2`, values)
  const moved = await database.query<{ at: string }>(
    `select ${asText(`(${stretch('each::timestamptz')})`)} as at
     from unnest($2::text[]) with ordinality as moment (each, place) order by place`,
    [clock?.at, moments.map(({ at }) => at)],
  )
  for (const [index, { at }] of moved.entries()) (moments[index] as Moment).at = at
  await database.query('delete from arrival_sum where organization_id = $1', [organizationId])
  for (const connectionId of connectionIds)
    await database.query('insert into arrival_sum select * from computed_arrival_sum($1, $2)', [
      organizationId,
      connectionId,
    ])
}

test('what each day brought is kept as a reading of all lines and their pasts has it', () => {
  expect(keptArrivals).toEqual([])
})

type Stand = {
  account: number
  currency: string
  units: bigint
  isGone: boolean
  proof: string
  facts: Record<string, string | null>
}

/** A line as its record says, read without the product. */
function toStand({ account, text, isGone, isNoted }: Held): Stand {
  const record = JSON.parse(text)
  const isOff = record.unit_price !== record.total_amount && !isNoted
  return {
    account,
    currency: record.currency,
    units: BigInt(record.total_amount.replace('.', '')),
    isGone,
    proof: `${isOff}`,
    facts: {
      cost_center: record.metadata.cost_center,
      trip: record.metadata.trip_id,
      profile: record.profile_id,
      issued: record.issuing_date,
      spent: record.expense_date,
    },
  }
}

function isIn(stand: Stand, scope: MomentScope): boolean {
  const { facts } = stand
  const among = (values: string[], value: string | null | undefined) =>
    values.length === 0 || values.includes(value ?? '')
  const at = scope.dateField === 'issued' ? facts.issued : facts.spent
  return (
    !stand.isGone &&
    among(scope.connections, connectionIds[stand.account]) &&
    among(scope.costCenters, facts.cost_center) &&
    among(scope.trips, facts.trip) &&
    among(scope.profiles, facts.profile) &&
    (scope.from === null || (at != null && at >= scope.from)) &&
    (scope.to === null || (at != null && at <= scope.to))
  )
}

type Told = { start: bigint; end: bigint; parts: Record<string, { count: number; units: bigint; ids: string[] }> }

/** The bridges by a comparison of every line at both moments. */
function rebuild(start: World, end: World, scope: MomentScope): Map<string, Told> {
  const told = new Map<string, Told>()
  const of = (currency: string) => {
    const each = told.get(currency) ?? {
      start: 0n,
      end: 0n,
      parts: Object.fromEntries(MOMENT_PARTS.map((part) => [part, { count: 0, units: 0n, ids: [] as string[] }])),
    }
    told.set(currency, each)
    return each
  }
  const add = (part: MomentPart, key: string, currency: string, units: bigint) => {
    const figure = of(currency).parts[part] as Told['parts'][string]
    figure.count += 1
    figure.units += units
    figure.ids.push(key)
  }
  for (const [key, held] of end) {
    const before = start.get(key)
    const [was, is] = [before && toStand(before), toStand(held)]
    const [wasIn, nowIn] = [was !== undefined && isIn(was, scope), isIn(is, scope)]
    if (was && wasIn) of(was.currency).start += was.units
    if (nowIn) of(is.currency).end += is.units
    if (was && wasIn && nowIn && was.currency === is.currency) {
      if (was.units !== is.units) add('changed', key, is.currency, is.units - was.units)
      else if (was.proof !== is.proof) add('proved', key, is.currency, 0n)
      continue
    }
    if (was && wasIn) add(nowIn ? 'changed' : is.isGone ? 'gone' : 'moved', key, was.currency, -was.units)
    if (!nowIn) continue
    const came = is.units < 0n ? 'credited' : 'new'
    const part = was === undefined ? came : wasIn ? 'changed' : was.isGone ? 'back' : 'moved'
    add(part, key, is.currency, is.units)
  }
  return told
}

function anyScope(): MomentScope {
  const some = <Item>(items: readonly Item[], share: number) => (chance(share) ? [pick(items)] : [])
  const month = chance(0.4) ? pick(['07', '08', '09']) : null
  return {
    connections: some(connectionIds, 0.25),
    profiles: some(PROFILES, 0.25),
    costCenters: some(COST_CENTERS, 0.35).map((value) => value ?? ''),
    trips: some(TRIPS, 0.25).map((value) => value ?? ''),
    from: month === null ? null : day(`2026-${month}-01`),
    to: month === null ? null : day(`2026-${month}-${chance(0.5) ? '28' : month === '09' ? '30' : '31'}`),
    dateField: month !== null && chance(0.5) ? 'issued' : 'expense',
    foldsNames: false,
  }
}

const toFigures = ({ start, end, parts }: MomentBridge) => ({
  start: toUnits(start.amount, 2),
  end: toUnits(end.amount, 2),
  parts: Object.fromEntries(
    Object.entries(parts).map(([part, { count, amount }]) => [part, { count, units: toUnits(amount, 2) }]),
  ),
})

/** Two moments, the earlier one first; one in four ends now. */
function anyPair(): { start: Moment; end: Moment; asked: { from: string; to: string | null } } {
  const [a, b] = [Math.floor(random() * moments.length), Math.floor(random() * moments.length)]
  const start = moments[Math.min(a, b)] as Moment
  const isNow = chance(0.25)
  const end = (isNow ? moments.at(-1) : moments[Math.max(a, b)]) as Moment
  return { start, end, asked: { from: start.at, to: isNow ? null : end.at } }
}

const isTold = ({ start, end, parts }: Told) =>
  start !== 0n || end !== 0n || Object.values(parts).some(({ count }) => count > 0)

test(`the parts of ${PAIR_COUNT} bridges between random moments add up to the difference, and are what a rebuild from the records says`, async () => {
  const seen: Record<string, number> = {}
  const compare = async () => {
    const { start, end, asked } = anyPair()
    const scope = anyScope()
    const label = `${JSON.stringify(asked)} ${JSON.stringify(scope)}`
    const told = rebuild(start.world, end.world, scope)
    const { bridges } = await readMoments(organizationId, { scope, ...asked, part: null, currency: null, page: 1 })
    const currencies = [...told].filter(([, each]) => isTold(each)).map(([currency]) => currency)
    expect(
      bridges.map(({ currency }) => currency).filter((each) => currencies.includes(each)),
      label,
    ).toEqual(currencies.sort())
    for (const bridge of bridges) {
      const figures = toFigures(bridge)
      const sum = Object.values(figures.parts).reduce((total, { units }) => total + units, 0n)
      expect(figures.start + sum, label).toBe(figures.end)
      const mine = told.get(bridge.currency)
      const parts = Object.entries(mine?.parts ?? {}).map(([part, { count, units }]) => [part, { count, units }])
      expect(figures, label).toEqual({ start: mine?.start, end: mine?.end, parts: Object.fromEntries(parts) })
      for (const [part, { count }] of Object.entries(figures.parts)) seen[part] = (seen[part] ?? 0) + count
    }
  }
  // several at once: the database has more than one processor
  for (let at = 0; at < PAIR_COUNT; at += 4) await Promise.all([1, 2, 3, 4].map(compare))
  // the history has something of everything, also lines that stand as they came
  for (const part of MOMENT_PARTS) expect(seen[part], part).toBeGreaterThan(50)
  const [untouched] = await database.query<{ below: number; above: number }>(
    `select (count(*) filter (where total_amount < 0))::int as below, (count(*) filter (where total_amount > 0))::int as above from line l
     where organization_id = $1 and missing_since is null and not exists (
       select from line_past p where p.organization_id = $1 and p.connection_id = l.connection_id and p.line_id = l.id)`,
    [organizationId],
  )
  expect(untouched?.below).toBeGreaterThan(0)
  expect(untouched?.above).toBeGreaterThan(0)
})

test('each part lists exactly its lines, with effects that add up to its figure', async () => {
  for (let at = 0; at < 20; at += 1) {
    const { start, end, asked } = anyPair()
    const scope = anyScope()
    const told = rebuild(start.world, end.world, scope)
    for (const [currency, { parts }] of told)
      for (const [part, { units, ids }] of Object.entries(parts)) {
        const query = { scope, ...asked, part: part as MomentPart, currency }
        const lines = await listAll(query)
        expect(lines.map(({ connectionId, id }) => `${connectionIds.indexOf(connectionId)}~${id}`).sort()).toEqual(
          ids.sort(),
        )
        expect(lines.reduce((sum, { effect }) => sum + toUnits(effect, 2), 0n)).toBe(units)
        for (const { id, before, after, connectionId } of lines) {
          const key = `${connectionIds.indexOf(connectionId)}~${id}`
          const was = start.world.get(key)
          expect(before === null).toBe(was === undefined)
          if (was !== undefined) expect(before).toMatchObject(toThen(was))
          expect(after).toMatchObject(toThen(end.world.get(key) as Held))
        }
      }
  }
})

function toThen(held: Held) {
  const { currency, units, isGone, facts } = toStand(held)
  const size = `${units < 0n ? '-' : ''}${String(units < 0n ? -units : units).padStart(3, '0')}`
  return {
    currency,
    isGone,
    totalAmount: size.replace(/(\d\d)$/, '.$1'),
    costCenter: facts.cost_center,
    tripId: facts.trip,
    profileId: facts.profile,
    issuingDate: facts.issued,
    expenseDate: facts.spent,
  }
}

async function listAll(query: Omit<MomentQuery, 'page' | 'from'> & { from: string }): Promise<MomentLine[]> {
  const pages: MomentLine[] = []
  for (let page = 1; ; page += 1) {
    const { lines, lineCount, pageCount } = await readMoments(organizationId, { ...query, page })
    pages.push(...lines)
    expect(lines.length).toBeLessThanOrEqual(MOMENT_LINES_PER_PAGE)
    if (page < pageCount) continue
    expect(pages).toHaveLength(lineCount)
    return pages
  }
}

test('another organization sees nothing of it', async () => {
  const other = await seedOrganization(database.query, 'Other')
  const scope = { ...anyScope(), connections: connectionIds }
  const asked = { from: (moments[0] as Moment).at, to: null, part: 'new' as const, currency: null, page: 1 }
  expect(await readMoments(other.organizationId, { ...asked, scope })).toMatchObject({ bridges: [], lines: [] })
  const seen = await withTenantSql(other.organizationId, (sql) => sql('select from line_past limit 1'))
  expect(seen).toEqual([])
})

test('an import keeps no past', async () => {
  const owner = await seedOrganization(database.query, 'Fresh')
  const connectionId = await seedConnection(database.query, owner)
  const lines = ['a', 'b'].map((id) => toProved(sendAny(id)))
  for (const _ of [1, 2])
    await withTenantSql(owner.organizationId, (sql) => applyLines(sql, { ...owner, connectionId, lines }))
  expect(await database.query('select from line_past where organization_id = $1', [owner.organizationId])).toEqual([])
})

test('a part of several pages lists each line once, the largest effect first', async () => {
  const owner = await seedOrganization(database.query, 'Paged')
  const connectionId = await seedConnection(database.query, owner)
  const ids = Array.from({ length: 120 }, (_, at) => `P${String(at).padStart(3, '0')}`)
  await seedLines(
    owner.organizationId,
    connectionId,
    ids.map((id) => makeLine({ id, expenseDate: day('2026-03-04'), totalAmount: '10' as DecimalText })),
  )
  const from = await withTenantSql(owner.organizationId, (sql) => readTime(sql, 'clock_timestamp()'))
  // the first line changes most
  await withTenantSql(owner.organizationId, (sql) =>
    sql(
      `update line set total_amount = total_amount + 200 - substr(id, 2)::int, content_hash = md5(content_hash)
       where organization_id = $1`,
      [owner.organizationId],
    ),
  )
  const scope = { ...anyScope(), connections: [], profiles: [], costCenters: [], trips: [], from: null, to: null }
  const asked = { scope, from, to: null, part: 'changed' as const, currency: null }
  const pages = []
  for (const page of [1, 2, 3]) pages.push(await readMoments(owner.organizationId, { ...asked, page }))
  expect(pages.map(({ lineCount, pageCount, lines }) => [lineCount, pageCount, lines.length])).toEqual([
    [120, 3, 50],
    [120, 3, 50],
    [120, 3, 20],
  ])
  expect(pages.flatMap(({ lines }) => lines.map(({ id }) => id))).toEqual(ids)
})

test('of very many lines that came the newest are listed first, and each once', async () => {
  const owner = await seedOrganization(database.query, 'Many')
  const connectionId = await seedConnection(database.query, owner)
  const before = await withTenantSql(owner.organizationId, (sql) => readTime(sql, 'now()'))
  const many = Array.from({ length: 10_001 }, (_, at) =>
    makeLine({
      id: `M${String(at).padStart(5, '0')}`,
      expenseDate: day(`2026-0${1 + (at % 9)}-1${at % 7}`),
      totalAmount: `${1 + (at % 50)}` as DecimalText,
    }),
  )
  await seedLines(owner.organizationId, connectionId, many)
  const scope = { ...anyScope(), connections: [], profiles: [], costCenters: [], trips: [], from: null, to: null }
  const asked = { scope, from: before, to: null, part: 'new' as const, currency: null }
  const read = (page: number) => readMoments(owner.organizationId, { ...asked, page })
  const pages = [await read(1), await read(2), await read(201)]
  expect(pages.map(({ isByDay, lineCount, lines }) => [isByDay, lineCount, lines.length])).toEqual([
    [true, 10_001, 50],
    [true, 10_001, 50],
    [true, 10_001, 1],
  ])
  const sorted = many.toSorted(
    (a, b) => (a.expenseDate < b.expenseDate ? 1 : a.expenseDate > b.expenseDate ? -1 : 0) || (a.id < b.id ? -1 : 1),
  )
  const ids = sorted.map(({ id }) => id)
  expect(pages.flatMap(({ lines }) => lines.map(({ id }) => id))).toEqual([...ids.slice(0, 100), ...ids.slice(-1)])
  const few = await readMoments(owner.organizationId, { ...asked, part: 'credited', page: 1 })
  expect(few).toMatchObject({ isByDay: false, lines: [] })
})
