/** The table of months and one month in full, beside what people and the platform do to them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decide } from '../review/decide.ts'
import { previewDecision } from '../review/preview-decision.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLine,
  type SeededPerson,
  seedInvoices,
  seedLines,
  seedOrganization,
  seedTwoPeople,
} from '../test-support/seed.ts'
import { openCloseFile } from './close-file.ts'
import { parseCloseQuery } from './close-query.ts'
import { listSignedMoments } from './list-signed-moments.ts'
import { grantException, lockPeriod, reopenPeriod } from './lock-period.ts'
import { findLastMonth, readCloseMonth, readClosePage, toCloseMonth } from './read-close.ts'
import { readCloseOfInvoice } from './read-close-invoice.ts'
import { previewSignOff, type Signer, signOff } from './sign-off.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let ada: SeededPerson
let ben: SeededPerson

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** March of one profile with a line that is 10.00 too much, April of it, and March of another. */
beforeEach(async () => {
  ;({ organizationId, connectionId, ada, ben } = await seedTwoPeople(database.query, 'approver'))
  await seed('OFF', 'profile-1', '2026-03-31', '129.00')
  await seed('RIGHT', 'profile-1', '2026-03-30', '119.00')
  await seed('APRIL', 'profile-1', '2026-04-30', '119.00')
  await seed('OTHER', 'profile-2', '2026-03-31', '119.00')
})

async function seed(serialNumber: string, profileId: string, issued: string, total: string) {
  const of = { profileId, profileName: `Name of ${profileId}`, issuingDate: day(issued) }
  const amount = decimal(total)
  await seedLines(organizationId, connectionId, [
    makeLine({ ...of, id: `of ${serialNumber}`, invoiceSerialNumber: serialNumber, totalAmount: amount }),
  ])
  await seedInvoices(organizationId, connectionId, [
    makeInvoice({ ...of, serialNumber, total: amount, taxesSummary: [] }),
  ])
}

const march = (profileId = 'profile-1'): PeriodScope<ConnectionId> => ({
  kind: 'profile_month',
  connectionId,
  profileId,
  month: '2026-03',
})
const read = (chosen: PeriodScope<ConnectionId> | null = null) =>
  readClosePage(organizationId, { until: '2026-04', months: 12, chosen })

async function cellOf(month: string, profileId: string) {
  const { table } = await read()
  const at = table.columns.findIndex((column) => column.profileId === profileId)
  return table.rows.find((row) => row.month === month)?.cells[at] ?? null
}

async function step(signer: Signer, scope: PeriodScope<ConnectionId>, name: 'prepared' | 'approved') {
  const { sealHex, open } = await previewSignOff(organizationId, scope, name, null)
  const residuals = name === 'approved' ? [] : open.map((each) => ({ ...each, reason: 'Booked by hand', note: null }))
  const signed = await signOff(organizationId, signer, scope, name, { sealHex, residuals, runningRun: null })
  expect(signed.kind).toBe('signed')
}

async function close(scope: PeriodScope<ConnectionId> = march()) {
  await step(ada, scope, 'prepared')
  await step(ben, scope, 'approved')
  const locked = await lockPeriod(organizationId, ben, scope)
  if (locked.kind !== 'locked') throw new Error(locked.kind)
  return locked.number
}

async function accept(id: string, by: Signer = ada, kind: 'accept' | 'withdraw' = 'accept') {
  const asked = { kind, set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~${id}`] } }
  const seen = await previewDecision(organizationId, asked)
  const choice = { reason: kind === 'accept' ? 'agreed' : null, note: null, expectedBack: null }
  return decide(organizationId, { actor: by.actor, name: by.name }, { asked, ...seen, ...choice })
}

test('each month of a profile has what its lines come to without tax, and what waits in it', async () => {
  const { table } = await read()
  expect(table.columns.map(({ profileId, currency }) => [profileId, currency])).toEqual([
    ['profile-1', 'EUR'],
    ['profile-2', 'EUR'],
  ])
  expect(table.rows.map(({ month }) => month)).toHaveLength(12)
  expect(table.rows[0]?.month).toBe('2026-04')
  const shown = table.rows
    .slice(0, 2)
    .map(({ cells }) =>
      cells.map((cell) => cell && [cell.stand.state, cell.undecided, cell.invoiceCount, cell.money[0]?.net]),
    )
  expect(shown).toEqual([
    [['ready', 0, 1, '100.00'], null],
    [
      ['open', 1, 2, '210.00'],
      ['ready', 0, 1, '100.00'],
    ],
  ])
  expect(table.totals).toEqual(['310.00', '100.00'])
})

test('sums by month say the same as the sums of invoices', async () => {
  const before = (await read()).table
  await database.query(`insert into month_sum select * from sum_months('${organizationId}', '${connectionId}',
    array(select distinct date_trunc('month', issuing_date)::date from line where organization_id = '${organizationId}'))`)
  const [summed] = await database.query<{ count: number }>(
    `select count(*)::int as count from month_sum where organization_id = $1 and grain = 'profile'`,
    [organizationId],
  )
  expect(summed?.count).toBe(3)
  expect((await read()).table).toEqual(before)
})

test('a cell is what its signatures make of it, and the bar of its month counts them', async () => {
  const stateOf = async () => (await cellOf('2026-03', 'profile-1'))?.stand.state
  await accept('of OFF')
  expect(await stateOf()).toBe('ready')
  await step(ada, march(), 'prepared')
  expect(await stateOf()).toBe('prepared')
  await step(ben, march(), 'approved')
  expect(await stateOf()).toBe('approved')
  await lockPeriod(organizationId, ben, march())
  expect(await stateOf()).toBe('locked')
  const { table } = await read()
  expect(table.rows[1]).toMatchObject({
    month: '2026-03',
    lockedCount: 1,
    cellCount: 2,
    byState: [
      { state: 'ready', count: 1 },
      { state: 'locked', count: 1 },
    ],
  })
})

test('a signature that fell says who signed, and by how much it changed', async () => {
  await accept('of OFF')
  await step(ada, march(), 'prepared')
  await step(ben, march(), 'approved')
  await seed('RIGHT', 'profile-1', '2026-03-30', '131.40')
  const { stand } = (await cellOf('2026-03', 'profile-1')) ?? {}
  expect(stand).toMatchObject({
    state: 'open',
    fallen: { step: 'approved', name: 'Ben', moved: [{ currency: 'EUR', amount: '12.40' }] },
  })
})

test('what changes in a locked month is listed with its amounts, and the month where it is booked says so', async () => {
  await close()
  await seed('RIGHT', 'profile-1', '2026-03-30', '131.40')
  const { period } = await read(march())
  expect(period?.cell.stand.state).toBe('changed')
  expect(period?.cell.standing.drifted).toEqual([{ currency: 'EUR', amount: '12.40' }])
  const line = period?.drift.records.find(({ lineId }) => lineId === 'of RIGHT')
  expect(line).toMatchObject({ cause: 'changed', bookedIn: '2026-04', amountBefore: '119.00', amountAfter: '131.40' })
  const april = await read({ ...march(), month: '2026-04' })
  expect(april.period?.bookedHere).toMatchObject({ sums: [{ currency: 'EUR', amount: '12.40' }] })
  // the other profile knows nothing of it
  expect((await cellOf('2026-03', 'profile-2'))?.stand.state).toBe('ready')
})

test('the file has what the page shows, a row for each currency, with what changed and who signed', async () => {
  await seedLines(organizationId, connectionId, [
    makeLine({
      id: 'of USD',
      profileId: 'profile-1',
      invoiceSerialNumber: 'RIGHT',
      issuingDate: day('2026-03-30'),
      currency: 'USD',
    }),
  ])
  const readFile = async (unlockedOnly = false) => {
    const rows = await (await openCloseFile(organizationId, { until: '2026-04', unlockedOnly })).next()
    return rows.map(({ month, profileId, state, currency, net, changedBy, residual, preparedBy, lockedBy }) =>
      [month, profileId, state, currency, net, changedBy, residual, preparedBy, lockedBy].join(' '),
    )
  }
  await close()
  await seed('RIGHT', 'profile-1', '2026-03-30', '131.40')
  const april = '2026-04 profile-1 ready EUR 100.00    '
  const shown = [
    april,
    '2026-03 profile-1 changed EUR 222.40 12.40 10.00 Ada Admin Ben',
    '2026-03 profile-1 changed USD 100.00   Ada Admin Ben',
    '2026-03 profile-2 ready EUR 100.00    ',
  ]
  expect(await readFile()).toEqual(shown)
  expect(await readFile(true)).toEqual(shown)
  await close(march('profile-2'))
  expect(await readFile(true)).toEqual([april])
})

test('the account’s lock locks each profile, and only who changed is changed', async () => {
  await close({ kind: 'connection_month', connectionId, month: '2026-03' })
  const states = async () =>
    Promise.all(['profile-1', 'profile-2'].map(async (id) => (await cellOf('2026-03', id))?.stand.state))
  expect(await states()).toEqual(['locked', 'locked'])
  await seed('RIGHT', 'profile-1', '2026-03-30', '131.40')
  expect(await states()).toEqual(['changed', 'locked'])
})

test('the checklist ties out, and keeps in sight what was accepted as residual', async () => {
  await step(ada, march(), 'prepared')
  const { period } = await read(march())
  expect(period?.tieOut).toMatchObject([
    {
      currency: 'EUR',
      lines: { count: 2, amount: '248.00' },
      invoices: { count: 2, amount: '248.00' },
      unexplained: '0.00',
    },
  ])
  expect(period?.cell.findings).toEqual({ open: 1 })
  expect(period?.cell.standing.prepared?.residuals).toMatchObject([
    { currency: 'EUR', amount: '10.00', reason: 'Booked by hand', by: 'Ada Admin' },
  ])
})

test('the moments of its signatures are told of exactly the month that was signed, with what has ended', async () => {
  await step(ada, march(), 'prepared')
  const [row] = await database.query<{ at: string }>(
    `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from sign_off where organization_id = $1`,
    [organizationId],
  )
  const days = { from: day('2026-03-01'), to: day('2026-03-31'), dateField: 'issued' as const }
  const everything = { connections: [], profiles: [], costCenters: [], trips: [], foldsNames: false, ...days }
  const ofProfile = march().kind === 'profile_month' ? { ...everything, profiles: ['profile-1'] } : everything
  const told = { step: 'prepared', name: 'Ada Admin', at: row?.at }
  expect(await listSignedMoments(organizationId, ofProfile)).toEqual([{ ...told, hasEnded: false }])
  await database.query(`update line set quantity = 2 where organization_id = $1`, [organizationId])
  expect(await listSignedMoments(organizationId, ofProfile)).toEqual([{ ...told, hasEnded: true }])
  for (const other of [
    { to: day('2026-03-30') },
    { dateField: 'expense' as const },
    { costCenters: ['4100'] },
    { profiles: ['profile-1', 'profile-2'] },
    { profiles: ['profile-9'] },
    { connections: [organizationId] },
  ])
    expect(await listSignedMoments(organizationId, { ...ofProfile, ...other }), JSON.stringify(other)).toEqual([])
})

test('what is next to sign is told oldest first, with who prepared it', async () => {
  await accept('of OFF')
  await step(ada, march(), 'prepared')
  const { next, fourEyes } = await read()
  expect(fourEyes).toBe(true)
  expect(next.map(({ scope, state, preparedBy }) => [scope.month, state, preparedBy?.name ?? null])).toEqual([
    ['2026-03', 'prepared', 'Ada Admin'],
    ['2026-03', 'ready', null],
    ['2026-04', 'ready', null],
  ])
})

test('an exception lists what its person decided meanwhile, and nothing of others or before', async () => {
  await accept('of RIGHT', ben)
  const lock = await close()
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await grantException(organizationId, ada, { lock, personId: ben.id, until, reason: 'A late credit' })
  await grantException(organizationId, ben, { lock, personId: ada.id, until, reason: 'A mistake' })
  expect((await accept('of RIGHT', ada, 'withdraw')).kind).toBe('decided')
  expect((await accept('of OFF', ben)).kind).toBe('decided')
  await accept('of OTHER', ben)
  const { period } = await read(march())
  expect(
    period?.exceptions.map(({ name, reason, meanwhile }) => [name, reason, meanwhile.map(({ number }) => number)]),
  ).toEqual([
    ['Ada Admin', 'A mistake', ['2']],
    ['Ben', 'A late credit', ['3']],
  ])
})

test('a month that is opened again keeps what was signed before', async () => {
  const lock = await close()
  await reopenPeriod(organizationId, ben, lock, 'A credit came')
  const { period } = await read(march())
  expect(period?.cell.standing).toMatchObject({ isLocked: false, prepared: null, approved: null })
  expect(period?.cell.stand.fallen).toBeNull()
  expect(period?.past.map(({ step: name, cause }) => [name, cause]).sort()).toEqual([
    ['approved', 'superseded'],
    ['prepared', 'superseded'],
  ])
  expect(period?.locks).toMatchObject([{ reopened: { name: 'Ben', reason: 'A credit came' } }])
})

test('an invoice says where it stands itself, and that its month is locked', async () => {
  const key = { connectionId, serialNumber: 'OFF' }
  expect((await readCloseOfInvoice(organizationId, key, null)).stand).toMatchObject({ state: 'open', undecided: 1 })
  expect((await readCloseOfInvoice(organizationId, { ...key, serialNumber: 'RIGHT' }, null)).stand.state).toBe('ready')
  await close()
  expect(await readCloseOfInvoice(organizationId, key, null)).toMatchObject({
    prepared: null,
    lock: { name: 'Ben', scope: march() },
  })
})

test('the overview’s month is the table’s row', async () => {
  await close()
  const { table } = await read()
  const { withTenantSnapshot } = await import('#lib/db/tenant.ts')
  const { getProofs } = await import('../read/get-proofs.ts')
  const { of } = await getProofs(organizationId, new Date('2026-04-30'))
  const rows = await withTenantSnapshot(organizationId, (sql) => readCloseMonth(sql, organizationId, '2026-03'))
  expect(toCloseMonth(rows, { ...of, fallen: [] }, '2026-03')).toEqual(table.rows[1])
})

test('another organization sees nothing of it', async () => {
  await close()
  const stranger = await seedOrganization(database.query)
  const page = await readClosePage(stranger.organizationId, { until: '2026-04', months: 12, chosen: march() })
  expect(page.table.columns).toEqual([])
  expect(page.period?.cell).toMatchObject({ invoiceCount: 0, money: [] })
  expect(page.period?.locks).toEqual([])
})

test('a chosen month is always among those that are shown', () => {
  const now = new Date('2026-11-26T00:00:00Z')
  const lastOf = (search: string) =>
    findLastMonth(parseCloseQuery(Object.fromEntries(new URLSearchParams(search))), now)
  const of = `profile=${connectionId}`
  expect(lastOf('')).toBe('2026-11')
  expect(lastOf(`period=2025-12&${of}`)).toBe('2026-11')
  expect(lastOf(`period=2025-11&${of}`)).toBe('2025-11')
  expect(lastOf(`until=2025-06&period=2026-02&${of}`)).toBe('2026-02')
})
