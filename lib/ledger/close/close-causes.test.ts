/** What ends a sign-off, one cause after the other, and what drifts where the month is locked. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { EndCause } from '#lib/reconcile/close/close-state.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { DEFAULT_INVOICE_QUERY } from '../query/invoice-query.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { type Decider, decide } from '../review/decide.ts'
import { decideInvoices, previewInvoices } from '../review/invoices/decide-invoices.ts'
import type { Asked } from '../review/line-set.ts'
import { previewDecision } from '../review/preview-decision.ts'
import { decideHabit, setCheck } from '../rules/change-rules.ts'
import { judgeOrganization } from '../rules/judge-lines.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLine,
  type SeededPerson,
  seedInvoices,
  seedLines,
  seedTwoPeople,
} from '../test-support/seed.ts'
import { grantException, lockPeriod, reopenPeriod } from './lock-period.ts'
import { readClosePage } from './read-close.ts'
import { readSealed, type Scope } from './read-seal.ts'
import { previewSignOff, type Signer, signOff, withdrawSignOff } from './sign-off.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let ada: SeededPerson
let ben: SeededPerson

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Two invoices of March, one of April; line `A2` of the first is a cent off, `GONE` is gone. */
beforeEach(async () => {
  ;({ organizationId, connectionId, ada, ben } = await seedTwoPeople(database.query))
  await storeInvoice('A', '238.01')
  await storeInvoice('B', '119.00')
  await storeInvoice('APRIL', '119.00', { issuingDate: day('2026-04-15') })
  await storeLine('A1', 'A', '119.00')
  await storeLine('A2', 'A', '119.01')
  await storeLine('GONE', 'A', '7.00')
  await database.query(`update line set missing_since = now() where organization_id = $1 and id = 'GONE'`, [
    organizationId,
  ])
  await storeLine('B1', 'B', '119.00')
  await storeLine('APRIL1', 'APRIL', '119.00')
})

const storeLine = (id: string, invoiceSerialNumber: string, total: string, more = {}) =>
  seedLines(organizationId, connectionId, [makeLine({ id, invoiceSerialNumber, totalAmount: decimal(total), ...more })])
const storeInvoice = (serialNumber: string, total: string, more = {}) =>
  seedInvoices(organizationId, connectionId, [makeInvoice({ serialNumber, total: decimal(total), ...more })])

const invoiceOf = (serialNumber: string): Scope => ({ kind: 'invoice', connectionId, serialNumber })
const march = (): PeriodScope<ConnectionId> => ({ kind: 'connection_month', connectionId, month: '2026-03' })
const scopesOfA = (): Scope[] => [
  invoiceOf('A'),
  { kind: 'profile_month', connectionId, profileId: 'profile-1', month: '2026-03' },
  march(),
]

async function sign(signer: Signer, scope: Scope, step: 'prepared' | 'approved') {
  const { sealHex, open } = await previewSignOff(organizationId, scope, step, null)
  const residuals = open.map((each) => ({ ...each, reason: 'Agreed', note: null }))
  const ended = await signOff(organizationId, signer, scope, step, { sealHex, residuals, runningRun: null })
  if (ended.kind !== 'signed') throw new Error(JSON.stringify(ended))
  return ended.id
}

async function decideLine(who: Decider, id: string, kind: 'accept' | 'dispute' = 'accept') {
  const asked: Asked = { kind, set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~${id}`] } }
  const seen = await previewDecision(organizationId, asked)
  const reason = kind === 'accept' ? 'agreed' : 'too_much'
  return decide(organizationId, who, { asked, ...seen, reason, note: null, expectedBack: null })
}

async function decideInvoice(who: Decider, serial: string) {
  const asked = {
    kind: 'accept',
    invoices: { query: DEFAULT_INVOICE_QUERY, only: [`${connectionId}~${serial}`] },
  } as const
  const seen = await previewInvoices(organizationId, asked)
  return decideInvoices(organizationId, who, { asked, ...seen, reason: 'agreed', note: null })
}

const run = (text: string, ...values: unknown[]) => database.query(text, [organizationId, ...values])

type Case = {
  what: string
  act: () => Promise<unknown>
  cause: EndCause
  moved?: { currency: string; amount: string }[]
  drift?: [before: string | null, after: string | null][]
}

const CASES: Case[] = [
  {
    what: 'a changed amount',
    act: () => storeLine('A1', 'A', '131.40'),
    cause: 'changed',
    moved: [{ currency: 'EUR', amount: '12.4' }],
    drift: [['119.00', '131.40']],
  },
  {
    what: 'other figures of the same sum',
    act: () => storeLine('A1', 'A', '119.00', { quantity: decimal('2'), unitPrice: decimal('50.00') }),
    cause: 'changed',
    drift: [['119.00', '119.00']],
  },
  {
    what: 'a line that the platform removed',
    act: () => run(`update line set missing_since = now() where organization_id = $1 and id = 'A1'`),
    cause: 'gone',
    moved: [{ currency: 'EUR', amount: '-119' }],
    drift: [['119.00', null]],
  },
  {
    what: 'a line that is back',
    act: () => run(`update line set missing_since = null where organization_id = $1 and id = 'GONE'`),
    cause: 'back',
    moved: [{ currency: 'EUR', amount: '7' }],
    drift: [[null, '7.00']],
  },
  {
    what: 'a new line',
    act: () => storeLine('A3', 'A', '5.00', { currency: 'USD' }),
    cause: 'new_line',
    moved: [{ currency: 'USD', amount: '5' }],
    drift: [[null, '5.00']],
  },
  {
    what: 'a proof that says something else',
    act: () => run(`update line set finding_codes = '{tax}' where organization_id = $1 and id = 'A1'`),
    cause: 'proof',
    drift: [['119.00', '119.00']],
  },
  {
    what: 'a record of the invoice that could not be read',
    act: () =>
      run(
        `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, invoice_serial_number, reason, path, first_run_id)
         values ($1, $2, 'lines', 'x', '{}', 'A', 'no total', 'total', gen_random_uuid())`,
        connectionId,
      ),
    cause: 'proof',
    drift: [[null, null]],
  },
  {
    what: 'a copy that a comparison found',
    act: () =>
      run(
        `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, other_line_id,
           other_invoice_serial_number, currency, amount) values ($1, $2, 'A1', 'duplicate_line', 'A', 'B1', 'B', 'EUR', 119)`,
        connectionId,
      ),
    cause: 'compared',
    drift: [[null, null]],
  },
  {
    what: 'another total of the invoice',
    act: () => storeInvoice('A', '300.00'),
    cause: 'invoice',
    drift: [[null, null]],
  },
  {
    what: 'a decision about a line',
    act: () => decideLine(ada, 'A2'),
    cause: 'decided',
  },
  {
    what: 'a check that was set',
    act: () =>
      setCheck({ organizationId, actor: ada.actor }, 'invoice_due_before_issued', { level: 'note', tolerance: {} }),
    cause: 'checks',
    drift: [[null, null]],
  },
  {
    what: 'an accepted way of rounding',
    act: () =>
      decideHabit(
        { organizationId, actor: ada.actor },
        {
          connectionId,
          profileId: 'profile-1',
          invoiceMode: 'reseller',
          taxRegime: 'G-VAT-R',
          taxPercentage: decimal('19'),
          code: 'total',
          convention: 'total_truncated',
        },
        'accepted',
      ),
    cause: 'checks',
    drift: [[null, null]],
  },
]

const readEnds = () =>
  run(
    `select s.scope_kind as kind, s.step, e.cause, e.moved from sign_off s join sign_off_end e
       on e.organization_id = s.organization_id and e.sign_off_id = s.id
     where s.organization_id = $1 order by s.scope_kind, s.step`,
  )

test.each(CASES)(
  '$what ends what was signed of its invoice, its profile and its account, with its money',
  async ({ act, cause, moved = [] }) => {
    const other = await sign(ada, invoiceOf('APRIL'), 'prepared')
    for (const scope of scopesOfA()) {
      await sign(ada, scope, 'prepared')
      await sign(ben, scope, 'approved')
    }
    await act()
    const ends = (await readEnds()).filter(({ kind }) => kind !== 'invoice' || cause !== 'checks')
    const kinds = cause === 'checks' ? [] : ['invoice', 'invoice']
    expect(ends.map(({ kind }) => kind)).toEqual([
      'connection_month',
      'connection_month',
      ...kinds,
      'profile_month',
      'profile_month',
    ])
    for (const end of ends) expect(end).toMatchObject({ cause, moved })
    const standing = await run('select id from sign_off where organization_id = $1 and ended_at is null')
    expect(standing).toEqual(cause === 'checks' ? [] : [{ id: other }])
  },
)

test.each(CASES.filter(({ drift }) => drift !== undefined))(
  '$what is drift of a locked month, booked in the next open one',
  async ({ act, cause, drift }) => {
    await lock(march())
    await act()
    const rows = await run(
      `select cause, amount_before::text as before, amount_after::text as after, booked_in::text as booked from drift where organization_id = $1`,
    )
    expect(rows).toEqual(drift?.map(([before, after]) => ({ cause, before, after, booked: '2026-04-01' })))
  },
)

async function lock(scope: PeriodScope<ConnectionId>): Promise<string> {
  await sign(ada, scope, 'prepared')
  await sign(ben, scope, 'approved')
  const locked = await lockPeriod(organizationId, ben, scope)
  if (locked.kind !== 'locked') throw new Error(JSON.stringify(locked))
  return locked.number
}

test('drift of a month is not booked in a month that is locked itself', async () => {
  await lock({ kind: 'profile_month', connectionId, profileId: 'profile-1', month: '2026-03' })
  await lock({ kind: 'connection_month', connectionId, month: '2026-04' })
  await storeLine('A1', 'A', '131.40')
  expect(await run('select booked_in::text as booked from drift where organization_id = $1')).toEqual([
    { booked: '2026-05-01' },
  ])
})

test('a status, a name and a cost center end nothing; of an invoice of a locked month they are listed, without money', async () => {
  await lock(march())
  await sign(ada, invoiceOf('APRIL'), 'prepared')
  const more = { invoiceStatus: 'overdue', costCenter: 'other', travelerNames: ['Somebody Else'] }
  expect((await storeLine('A1', 'A', '119.00', more)).updated).toBe(1)
  expect((await storeInvoice('A', '238.01', { status: 'overdue', profileName: 'Acme AG' })).updated).toBe(1)
  expect(await readEnds()).toEqual([])
  const { period } = await readClosePage(organizationId, { until: '2026-04', months: 2, chosen: march() })
  expect(period?.drift).toMatchObject({
    count: 1,
    records: [{ cause: 'beside', serialNumber: 'A', lineId: null, amountBefore: null, amountAfter: null }],
  })
  // what was signed stands, so the month is locked, and not changed
  expect([period?.cell.stand.state, period?.cell.standing]).toMatchObject([
    'locked',
    { hasDrifted: false, drifted: [] },
  ])
  await storeInvoice('APRIL', '119.00', { issuingDate: day('2026-04-15'), status: 'overdue' })
  expect(await run('select count(*)::int as listed from drift where organization_id = $1')).toEqual([{ listed: 1 }])
})

test('under a tuned check a status ends nothing either, lets no decision fall and leaves no past', async () => {
  await setCheck({ organizationId, actor: ada.actor }, 'line_total', {
    level: 'finding',
    tolerance: { EUR: decimal('0.01') },
  })
  await judgeOrganization(organizationId)
  await decideLine(ada, 'A2')
  await lock(march())
  const pasts = () => run('select id::text from line_past where organization_id = $1 order by id')
  const before = await pasts()
  expect((await storeLine('A2', 'A', '119.01', { invoiceStatus: 'overdue' })).updated).toBe(1)
  expect(await readEnds()).toEqual([])
  expect(await run('select from line_fall where organization_id = $1')).toEqual([])
  expect(await run('select from drift where organization_id = $1')).toEqual([])
  expect(await pasts()).toEqual(before)
})

test('a line that comes to another invoice, and an invoice that comes to another month, drift out of one and into the other', async () => {
  const first = await lock(march())
  const second = await lock({ kind: 'connection_month', connectionId, month: '2026-04' })
  await storeLine('A1', 'APRIL', '100.00')
  await storeInvoice('B', '119.00', { issuingDate: day('2026-04-02') })
  const moved = (number: string) =>
    run(
      `select sum(coalesce(amount_after, 0) - coalesce(amount_before, 0))::text as moved from drift where organization_id = $1 and lock_number = $2`,
      number,
    )
  expect(await moved(first)).toEqual([{ moved: '-238.00' }])
  expect(await moved(second)).toEqual([{ moved: '219.00' }])
})

test('in a locked month nobody decides about lines or invoices, but for whom an exception is made, until it ends', async () => {
  await storeInvoice('A', '300.00')
  await decideLine(ada, 'A2')
  const number = await lock(march())
  for (const who of [ada, ben]) {
    await expect(decideLine(who, 'A2', 'dispute')).rejects.toMatchObject({ code: 'period-locked' })
    await expect(decideInvoice(who, 'A')).rejects.toMatchObject({ code: 'period-locked' })
  }
  const undo: Asked = { kind: 'undo', decision: '1' }
  const seen = await previewDecision(organizationId, undo)
  const wish = { asked: undo, ...seen, reason: null, note: null, expectedBack: null }
  await expect(decide(organizationId, ada, wish)).rejects.toMatchObject({ code: 'period-locked' })
  expect((await decideLine(ada, 'APRIL1')).kind).not.toBe('changed')
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const granted = await grantException(organizationId, ada, {
    lock: number,
    personId: ben.id,
    until,
    reason: 'a late credit',
  })
  expect(granted.kind).toBe('granted')
  await expect(decideLine(ada, 'A2', 'dispute')).rejects.toMatchObject({ code: 'period-locked' })
  // with the rights of the web server, which moves nothing there by hand
  await switchPool(database.urls.web)
  expect((await decideLine(ben, 'A2', 'dispute')).kind).toBe('decided')
  expect((await decideInvoice(ben, 'A')).kind).toBe('decided')
  await switchPool(database.urls.both)
  await run(`update lock_exception set ended_at = now() where organization_id = $1`)
  await expect(decideLine(ben, 'A1')).rejects.toMatchObject({ code: 'period-locked' })
})

test('a month that is opened again is signed anew, as the next generation; the one before stays', async () => {
  const number = await lock(march())
  expect(await reopenPeriod(organizationId, ada, number, 'a late credit')).toMatchObject({ kind: 'reopened' })
  expect(await readEnds()).toMatchObject([{ cause: 'superseded' }, { cause: 'superseded' }])
  expect(await reopenPeriod(organizationId, ada, number, 'again')).toEqual({ kind: 'refused', code: 'gone' })
  await lock(march())
  const generations = await run('select generation from period_lock where organization_id = $1 order by number')
  expect(generations).toEqual([{ generation: 1 }, { generation: 2 }])
})

test('a sign-off is withdrawn by its signer alone, the approval before the preparation, and never in a locked month', async () => {
  const prepared = await sign(ada, march(), 'prepared')
  const approved = await sign(ben, march(), 'approved')
  const withdraw = async (who: Signer, id: string) => {
    const ended = await withdrawSignOff(organizationId, who, id)
    return ended.kind === 'refused' ? ended.code : ended.kind
  }
  expect(await withdraw(ben, prepared)).toBe('not-own-sign-off')
  expect(await withdraw(ada, prepared)).toBe('no-step-before')
  await lockPeriod(organizationId, ada, march())
  expect(await withdraw(ben, approved)).toBe('period-locked')
  const [held] = await run('select number::text from period_lock where organization_id = $1')
  await reopenPeriod(organizationId, ada, `${held?.number}`, 'a late credit')
  const again = await sign(ben, march(), 'prepared')
  expect(await withdraw(ben, again)).toBe('withdrawn')
  expect(await withdraw(ben, again)).toBe('gone')
})

/** Resolves when some transaction of this database waits for another one's lock. */
async function untilSomebodyWaits(): Promise<void> {
  while (!(await isWaiting(database))) await new Promise((resolve) => setImmediate(resolve))
}

test('a signature waits for a change that is not committed yet, and is refused over what it changed', async () => {
  const { sealHex } = await previewSignOff(organizationId, invoiceOf('B'), 'prepared', null)
  let signed: ReturnType<typeof signOff> | null = null
  await withTenantSql(organizationId, async (sql) => {
    await sql(`update line set quantity = 3 where organization_id = $1 and id = 'B1'`, [organizationId])
    signed = signOff(organizationId, ada, invoiceOf('B'), 'prepared', { sealHex, residuals: [], runningRun: null })
    await untilSomebodyWaits()
  })
  expect(await signed).toMatchObject({ kind: 'differs' })
})

test('a change waits for a signature that is not committed yet, and ends it', async () => {
  await sign(ada, invoiceOf('B'), 'prepared')
  let changed: Promise<unknown> | null = null
  await withTenantSql(organizationId, async (sql) => {
    await sql(
      `insert into sign_off (organization_id, scope_kind, connection_id, invoice_serial_number, generation, step, actor_kind, actor_id,
         actor_name, actor_role, seal, line_count, invoice_count, totals, proof_version, checks_number, habits_number)
       select organization_id, scope_kind, connection_id, invoice_serial_number, generation, 'approved', 'person', $2, 'Ben', 'admin',
         seal, line_count, invoice_count, totals, proof_version, checks_number, habits_number
       from sign_off where organization_id = $1 returning 1`,
      [organizationId, ben.id],
    )
    changed = storeLine('B1', 'B', '120.00')
    await untilSomebodyWaits()
  })
  await changed
  expect(await readEnds()).toMatchObject([
    { step: 'approved', cause: 'changed' },
    { step: 'prepared', cause: 'changed' },
  ])
})

test('when an account’s data is deleted, what was signed of it ends and stays, with its counts and seals', async () => {
  await lock(march())
  await run('delete from line where organization_id = $1')
  await run('delete from invoice where organization_id = $1')
  expect(await readEnds()).toMatchObject([{ cause: 'gone' }, { cause: 'gone' }])
  expect(await run('select from drift where organization_id = $1')).toEqual([])
  expect(
    await run('select line_count::int as lines, octet_length(seal) as seal from sign_off where organization_id = $1'),
  ).toEqual([
    { lines: 4, seal: 32 },
    { lines: 4, seal: 32 },
  ])
})

test('the seal of an invoice that is gone says so', async () => {
  const read = () => withTenantSql(organizationId, (sql) => readSealed(sql, organizationId, invoiceOf('B')))
  const before = await read()
  await sign(ada, invoiceOf('B'), 'prepared')
  await run(`update invoice set missing_since = now() where organization_id = $1 and serial_number = 'B'`)
  expect((await read()).sealHex).not.toBe(before.sealHex)
  expect(await readEnds()).toMatchObject([{ cause: 'gone', moved: [] }])
})
