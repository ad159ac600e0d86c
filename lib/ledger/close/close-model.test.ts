/**
 * Sign-offs, locks and exceptions of two people, beside decisions and all that changes underneath,
 * in random order. What has to hold after each step is said here once more, from the rows alone.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { SignStep } from '#lib/reconcile/close/close-state.ts'
import { isPeriod, type PeriodScope, writeScope } from '#lib/reconcile/close/scope.ts'
import { compareDecimals, type DecimalText, subtractDecimals } from '#lib/reconcile/money.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { followRules } from '../certify/follow-rules.ts'
import { askForTrial, letRulesApprove, makeRule, switchRule } from '../certify/keep-rules.ts'
import { runTrials } from '../certify/run-trials.ts'
import { notePlainInvoices } from '../kept/plain-invoices/note-plain-invoices.ts'
import { DEFAULT_INVOICE_QUERY } from '../query/invoice-query.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decide } from '../review/decide.ts'
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
  seedEndedSync,
  seedInvoices,
  seedLines,
  seedTwoPeople,
} from '../test-support/seed.ts'
import { endException, grantException, lockPeriod, reopenPeriod } from './lock-period.ts'
import { readSealed, type Scope, type ScopeTotal } from './read-seal.ts'
import { previewSignOff, type Signer, signOff, withdrawSignOff } from './sign-off.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let people: [SeededPerson, SeededPerson]
/** What the walks came through, over all seeds: a walk that reaches nothing shows nothing. */
const reached = new Set<string>()

const STEPS = 80
const TOTALS = ['119.00', '119.01', '140.00']
const INVOICES = ['INV-0', 'INV-1', 'INV-2', 'INV-3', 'UNDATED']
const MONTHS = ['2026-03', '2026-04']

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  const { ada, ben, ...seeded } = await seedTwoPeople(database.query)
  ;({ organizationId, connectionId } = seeded)
  people = [ada, ben]
})

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

type ModelLine = { total: number; isGone: boolean; invoice: string; status: string; hasTwin: boolean }
type ModelInvoice = { total: string; profileId: string; issuingDate: string | null; isRejected: boolean }

const toRecord = (id: string, { total, invoice, status }: ModelLine): ProvedLine =>
  makeLine({ id, invoiceSerialNumber: invoice, invoiceStatus: status, totalAmount: decimal(TOTALS[total] as string) })

const toInvoice = (serialNumber: string, { total, profileId, issuingDate }: ModelInvoice) =>
  makeInvoice({
    serialNumber,
    total: decimal(total),
    profileId,
    issuingDate: issuingDate === null ? null : day(issuingDate),
  })

const listScopes = (): Scope[] => [
  ...INVOICES.map((serialNumber): Scope => ({ kind: 'invoice', connectionId, serialNumber })),
  ...listPeriods(),
]

const listPeriods = (): PeriodScope<ConnectionId>[] =>
  MONTHS.flatMap((month) => [
    { kind: 'connection_month', connectionId, month } as const,
    ...['p1', 'p2'].map((profileId) => ({ kind: 'profile_month', connectionId, profileId, month }) as const),
  ])

test.each([1, 2, 3])('no order of steps, changes and locks breaks what a sign-off says (seed %i)', async (seed) => {
  const random = createRandom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const lines = new Map<string, ModelLine>()
  const invoices = new Map<string, ModelInvoice>()
  for (const [at, serial] of INVOICES.entries()) {
    const issuingDate = serial === 'UNDATED' ? null : `${MONTHS[at % 2]}-15`
    invoices.set(serial, { total: '476.00', profileId: at < 2 ? 'p1' : 'p2', issuingDate, isRejected: false })
  }
  for (let at = 0; at < 20; at += 1)
    lines.set(`L${at}`, {
      // the first invoice is whole, for a rule to prepare it
      total: at % 5 === 0 ? 0 : at % 3,
      isGone: false,
      invoice: INVOICES[at % 5] as string,
      status: 'issued',
      hasTwin: false,
    })
  await storeInvoices([...invoices.keys()])
  await storeLines([...lines.keys()])
  await turnOnRules()
  await follow([])
  let isNoted = false
  let made = 0

  for (let step = 0; step < STEPS; step += 1) {
    const kind = pick(WEIGHTED)
    const before = { standing: await readStandingIds(), decision: await readLastDecision() }
    await take(kind)
    await expectPromises(`step ${step}, ${kind}`, kind, before)
  }

  async function take(kind: (typeof WEIGHTED)[number]): Promise<void> {
    const ids = [...lines.keys()].filter(() => random() < 0.12)
    switch (kind) {
      case 'sign':
        return sign(pick(people), pick(listScopes()), pick(['prepared', 'approved'] as const))
      case 'close':
        return close(pick(listPeriods()))
      case 'withdraw':
        return withdraw()
      case 'reopen':
        return reopen()
      case 'exception':
        return makeException()
      case 'decide':
        return decideLines(ids)
      case 'decide-invoice':
        return decideInvoice(pick(INVOICES))
      case 'change':
        for (const id of ids) lineOf(id).total = Math.floor(random() * 3)
        return storeLines(ids)
      case 'move-line':
        for (const id of ids.slice(0, 2)) lineOf(id).invoice = pick(INVOICES)
        return storeLines(ids.slice(0, 2))
      case 'status':
        for (const id of ids) lineOf(id).status = pick(['issued', 'paid', 'overdue'])
        return storeLines(ids)
      case 'new-line':
        made += 1
        lines.set(`N${made}`, {
          total: made % 3,
          isGone: false,
          invoice: pick(INVOICES),
          status: 'issued',
          hasTwin: false,
        })
        return storeLines([`N${made}`])
      case 'gone':
        return mark(
          ids.slice(0, 2),
          [...lines.keys()].filter((id) => lineOf(id).isGone),
        )
      case 'invoice':
        return changeInvoice(pick(INVOICES))
      case 'move-invoice':
        return moveInvoice(pick(INVOICES))
      case 'rejected':
        return reject(pick(INVOICES))
      case 'twin':
        return compare(ids.slice(0, 2))
      case 'check':
        return tune()
      case 'habit':
        return acceptHabit()
      case 'judge-plain':
        await notePlainInvoices({ organizationId, connectionId })
        return
      case 'rule':
        return follow(ids)
      case 'race':
        return race(ids)
    }
  }

  function lineOf(id: string): ModelLine {
    return lines.get(id) as ModelLine
  }

  async function storeLines(ids: readonly string[]) {
    const present = ids.filter((id) => !lineOf(id).isGone)
    await seedLines(
      organizationId,
      connectionId,
      present.map((id) => toRecord(id, lineOf(id))),
    )
  }

  async function storeInvoices(serials: readonly string[]) {
    await seedInvoices(
      organizationId,
      connectionId,
      serials.map((serial) => toInvoice(serial, invoices.get(serial) as ModelInvoice)),
    )
  }

  async function sign(signer: Signer, scope: Scope, step: SignStep) {
    const seen = await previewSignOff(organizationId, scope, step, null)
    const residuals = seen.open.map((each) => ({ ...each, reason: 'Agreed', note: null }))
    const ended = await signOff(organizationId, signer, scope, step, {
      sealHex: seen.sealHex,
      residuals,
      runningRun: null,
    })
    note(`${step} ${ended.kind} ${ended.kind === 'refused' ? ended.code : ''}`)
  }

  /** One month through all steps, as far as it goes. */
  async function close(scope: PeriodScope<ConnectionId>) {
    await sign(people[0], scope, 'prepared')
    // who prepared it is refused, each time
    await sign(people[0], scope, 'approved')
    await sign(people[1], scope, 'approved')
    const ended = await lockPeriod(organizationId, pick(people), scope)
    note(`lock ${ended.kind} ${ended.kind === 'refused' ? ended.code : ''}`)
  }

  async function withdraw() {
    const standing = pick(await readStandingIds())
    if (standing === undefined) return
    const ended = await withdrawSignOff(organizationId, pick(people), standing)
    note(`withdraw ${ended.kind} ${ended.kind === 'refused' ? ended.code : ''}`)
  }

  async function reopen() {
    const lock = pick(await readLocks())
    if (lock === undefined) return
    note(`reopen ${(await reopenPeriod(organizationId, pick(people), lock.number, 'a late credit')).kind}`)
  }

  async function makeException() {
    const [open] = await database.query<{ id: string }>(
      'select id from lock_exception where organization_id = $1 and ended_at is null limit 1',
      [organizationId],
    )
    if (open !== undefined && random() < 0.5) {
      await endException(organizationId, people[0], open.id)
      return
    }
    const lock = pick(await readLocks())
    if (lock === undefined) return
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await grantException(organizationId, people[0], {
      lock: lock.number,
      personId: pick(people).id,
      until,
      reason: 'late',
    })
  }

  async function decideLines(ids: readonly string[]) {
    const verb = pick(['accept', 'dispute', 'withdraw'] as const)
    const asked: Asked = {
      kind: verb,
      set: { query: DEFAULT_LINE_QUERY, only: ids.map((id) => `${connectionId}~${id}`) },
    }
    const seen = await previewDecision(organizationId, asked)
    const reason = { accept: 'agreed', dispute: 'too_much', withdraw: null }[verb]
    await noteDecided(decide(organizationId, pick(people), { asked, ...seen, reason, note: null, expectedBack: null }))
  }

  async function decideInvoice(serial: string) {
    const kind = pick(['accept', 'dispute', 'withdraw'] as const)
    const asked = { kind, invoices: { query: DEFAULT_INVOICE_QUERY, only: [`${connectionId}~${serial}`] } }
    const seen = await previewInvoices(organizationId, asked)
    const reason = { accept: 'agreed', dispute: 'too_much', withdraw: null }[kind]
    await noteDecided(decideInvoices(organizationId, pick(people), { asked, ...seen, reason, note: null }))
  }

  async function noteDecided(made: Promise<{ kind: string }>) {
    try {
      note(`decide ${(await made).kind}`)
    } catch (error) {
      if (!(error instanceof OperationalError) || error.code !== 'period-locked') throw error
      note('decide period-locked')
    }
  }

  /** As the end of a complete reading marks them, and as a later one finds them again. */
  async function mark(present: readonly string[], gone: readonly string[]) {
    for (const id of gone.length > 0 && random() < 0.5 ? [pick(gone)] : present) {
      lineOf(id).isGone = !lineOf(id).isGone
      await database.query('update line set missing_since = $3 where organization_id = $1 and id = $2', [
        organizationId,
        id,
        lineOf(id).isGone ? new Date() : null,
      ])
    }
  }

  async function changeInvoice(serial: string) {
    const invoice = invoices.get(serial) as ModelInvoice
    invoice.total = pick(['476.00', '476.01', '500.00'])
    await storeInvoices([serial])
  }

  async function moveInvoice(serial: string) {
    const invoice = invoices.get(serial) as ModelInvoice
    if (random() < 0.5) invoice.profileId = pick(['p1', 'p2'])
    else invoice.issuingDate = pick(['2026-03-02', '2026-04-30', null])
    await storeInvoices([serial])
  }

  async function reject(serial: string) {
    const invoice = invoices.get(serial) as ModelInvoice
    invoice.isRejected = !invoice.isRejected
    const values = [organizationId, connectionId, serial]
    if (invoice.isRejected)
      await database.query(
        `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, invoice_serial_number, reason, path, first_run_id)
         values ($1, $2, 'lines', $3, '{}', $3, 'no total', 'total', gen_random_uuid())
         on conflict (organization_id, connection_id, list, raw_hash) do update set resolved_at = null`,
        values,
      )
    else
      await database.query(
        `update rejected_line set resolved_at = now() where organization_id = $1 and connection_id = $2 and raw_hash = $3`,
        values,
      )
  }

  async function compare(ids: readonly string[]) {
    for (const id of ids) {
      const line = lineOf(id)
      line.hasTwin = !line.hasTwin
      const values = [organizationId, connectionId, id]
      if (line.hasTwin)
        await database.query(
          `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, other_line_id,
             other_invoice_serial_number, currency, amount)
           select organization_id, connection_id, id, 'duplicate_line', invoice_serial_number, 'x', 'X', 'EUR', 119
           from line where organization_id = $1 and connection_id = $2 and id = $3`,
          values,
        )
      else
        await database.query(
          'delete from line_comparison where organization_id = $1 and connection_id = $2 and line_id = $3',
          values,
        )
    }
  }

  async function tune() {
    isNoted = !isNoted
    const tolerance: Record<string, DecimalText> = isNoted ? { EUR: '0.01' as DecimalText } : {}
    await setCheck({ organizationId, actor: people[0].actor }, 'line_total', { level: 'finding', tolerance })
    await judgeOrganization(organizationId)
  }

  async function acceptHabit() {
    const who = { organizationId, actor: people[0].actor }
    const habit = {
      connectionId,
      profileId: 'p1',
      invoiceMode: 'reseller',
      taxRegime: 'G-VAT-R',
      taxPercentage: decimal('19'),
    }
    await decideHabit(
      who,
      { ...habit, code: 'total', convention: 'total_truncated' },
      pick(['accepted', 'withdrawn'] as const),
    )
    // as a worker does: else the next change of any line would judge it, and end what is signed
    await judgeOrganization(organizationId)
  }

  /** The rules of both people at the end of a sync, while somebody changes or signs. */
  async function follow(ids: readonly string[]) {
    if (random() < 0.3) await letRulesApprove({ organizationId, ...people[0] }, random() < 0.7)
    await seedEndedSync(database.query, { organizationId, connectionId })
    const signal = new AbortController().signal
    const beside = random() < 0.5 ? storeLines(ids) : sign(people[1], pick(listScopes()), 'prepared')
    await Promise.all([followRules(signal, () => true), beside])
    for (const { kind, step } of await database.query<{ kind: string; step: string }>(
      `select actor_kind as kind, step from sign_off where organization_id = $1 and actor_kind = 'rule'`,
      [organizationId],
    ))
      note(`${kind} ${step}`)
    const decided = await database.query('select from decision where organization_id = $1 and rule_id is not null', [
      organizationId,
    ])
    if (decided.length > 0) note('rule decided')
  }

  /** A signature and a change at once: either the one has seen the other, or it ended. */
  async function race(ids: readonly string[]) {
    for (const id of ids) lineOf(id).total = (lineOf(id).total + 1) % 3
    await Promise.all([
      sign(people[0], pick(listScopes()), 'prepared'),
      storeLines(ids),
      storeInvoices([pick(INVOICES)]),
      sign(people[1], pick(listScopes()), 'prepared'),
    ])
  }
})

/** One of each person: Ada's prepares, Ben's approves what somebody else prepared. */
async function turnOnRules() {
  const [ada, ben] = people
  await letRulesApprove({ organizationId, ...ada }, true)
  for (const [owner, verb] of [
    [ada, 'prepare'],
    [ben, 'approve'],
  ] as const) {
    const who = { organizationId, ...owner }
    const { id, version } = await makeRule(who, verb, {
      verb,
      conditions: [],
      limits: {},
      share: decimal('0'),
      monthsLeftOut: [],
      activeFrom: '2026-01-01',
    })
    const trial = await askForTrial(who, { rule: id, version, from: '2026-03', to: '2026-04' })
    await runTrials(new AbortController().signal)
    await switchRule(who, id, trial)
  }
}

const WEIGHTED = [
  ...(['sign', 'close', 'decide', 'change', 'race'] as const).flatMap((kind) => [kind, kind]),
  'sign',
  'close',
  'withdraw',
  'reopen',
  'exception',
  'decide-invoice',
  'move-line',
  'status',
  'new-line',
  'gone',
  'gone',
  'invoice',
  'move-invoice',
  'rejected',
  'twin',
  'check',
  'habit',
  'judge-plain',
  'rule',
  'rule',
  'rule',
] as const

function note(what: string) {
  reached.add(what.trim())
}

type Lock = Scopes & { number: string; totals: ScopeTotal[] }
type Scopes = { kind: Scope['kind']; profileId: string | null; month: string | null; serialNumber: string | null }

const readLocks = () =>
  database.query<Lock>(
    `select k.number::text, k.scope_kind as kind, k.profile_id as "profileId", left(k.month::text, 7) as month,
       null as "serialNumber", s.totals
     from period_lock k join sign_off s on s.organization_id = k.organization_id and s.id = k.sign_off_id
     where k.organization_id = $1 and k.reopened_at is null order by k.number`,
    [organizationId],
  )

const readStandingIds = async () =>
  (
    await database.query<{ id: string }>(
      'select id from sign_off where organization_id = $1 and ended_at is null order by at',
      [organizationId],
    )
  ).map(({ id }) => id)

function toScope({ kind, profileId, month, serialNumber }: Scopes): Scope {
  if (kind === 'invoice') return { kind, connectionId, serialNumber: serialNumber ?? '' }
  if (kind === 'connection_month') return { kind, connectionId, month: month ?? '' }
  return { kind, connectionId, profileId: profileId ?? '', month: month ?? '' }
}

const readLastDecision = async () =>
  (
    await database.query<{ number: string }>(
      'select coalesce(max(number), 0)::text as number from decision where organization_id = $1',
      [organizationId],
    )
  )[0]?.number ?? '0'

type Before = { standing: readonly string[]; decision: string }

async function expectPromises(step: string, kind: string, before: Before) {
  await withTenantSql(organizationId, async (sql) => {
    await expectStandingSeals(sql, step)
    await expectReasonedEnds(sql, step, kind, before.standing)
    await expectDrift(sql, step)
  })
  await expectFourEyes(step)
  await expectNothingDecidedInLocks(step, before.decision)
}

type SignOffRow = Scopes & { seal: string; proof: number; checks: string; habits: string; cause: string | null }

const SIGN_OFFS = `
  select s.scope_kind as kind, s.profile_id as "profileId", left(s.month::text, 7) as month, s.invoice_serial_number as "serialNumber",
    encode(s.seal, 'hex') as seal, s.proof_version as proof, s.checks_number::text as checks, s.habits_number::text as habits, e.cause
  from sign_off s left join sign_off_end e on e.organization_id = s.organization_id and e.sign_off_id = s.id
  where s.organization_id = $1`

/** No sign-off stands over a changed seal: each one's is made again. */
async function expectStandingSeals(sql: Sql, step: string) {
  const seals = new Map<string, string>()
  for (const row of await sql<SignOffRow>(`${SIGN_OFFS} and s.ended_at is null`, [organizationId])) {
    const scope = toScope(row)
    const name = writeScope(scope)
    if (!seals.has(name)) seals.set(name, (await readSealed(sql, organizationId, scope)).sealHex)
    expect(seals.get(name), `${step}: ${name}`).toBe(row.seal)
  }
}

/** None ends for nothing: what ended it is in its seal. Of a check it is its number. */
async function expectReasonedEnds(sql: Sql, step: string, kind: string, before: readonly string[]) {
  const ended = await sql<SignOffRow>(`${SIGN_OFFS} and s.ended_at is not null and s.id = any ($2::uuid[])`, [
    organizationId,
    before,
  ])
  for (const row of ended) {
    note(row.cause ?? '')
    expect(row.cause, step).not.toBeNull()
    if (['status', 'judge-plain', 'sign', 'exception'].includes(kind)) expect(ended, step).toEqual([])
    if (['withdrawn', 'superseded', 'checks'].includes(row.cause ?? '')) continue
    const { proof, checks, habits } = row
    const now = await readSealed(sql, organizationId, toScope(row), { proof, checks, habits })
    expect(now.sealHex, `${step}: ${row.cause} of ${writeScope(toScope(row))}`).not.toBe(row.seal)
  }
}

/** What drifted adds up to the difference between what was signed and what is there. */
async function expectDrift(sql: Sql, step: string) {
  for (const lock of await readLocks()) {
    const now = await readSealed(sql, organizationId, toScope(lock))
    const rows = await sql<{ currency: string; amount: DecimalText }>(
      `select currency, sum(amount)::text as amount
       from (select currency_before as currency, -amount_before as amount from drift where organization_id = $1 and lock_number = $2
             union all select currency_after, amount_after from drift where organization_id = $1 and lock_number = $2) part
       where currency is not null group by 1`,
      [organizationId, lock.number],
    )
    if (rows.length > 0) note('drift')
    for (const currency of new Set([...lock.totals, ...now.totals, ...rows].map((each) => each.currency))) {
      const totalOf = (totals: readonly ScopeTotal[]) =>
        totals.find((each) => each.currency === currency)?.total ?? ZERO
      const moved = rows.find((row) => row.currency === currency)?.amount ?? ZERO
      const difference = subtractDecimals(totalOf(now.totals), totalOf(lock.totals))
      expect(compareDecimals(moved, difference), `${step}: ${moved} is not ${difference}`).toBe(0)
    }
  }
}

const ZERO = '0' as DecimalText

/** Each approval had a preparation by somebody else beneath it when it was given. */
async function expectFourEyes(step: string) {
  const alone = await database.query(
    `select a.id from sign_off a where a.organization_id = $1 and a.step = 'approved' and not exists (
       select from sign_off p where p.organization_id = a.organization_id and p.step = 'prepared' and p.connection_id = a.connection_id
         and (p.scope_kind, p.profile_id, p.month, p.invoice_serial_number, p.seal)
             is not distinct from (a.scope_kind, a.profile_id, a.month, a.invoice_serial_number, a.seal)
         and p.at < a.at and (p.ended_at is null or p.ended_at > a.at) and p.actor_id <> a.actor_id)`,
    [organizationId],
  )
  expect(alone, step).toEqual([])
}

/** What was decided just now is in no lock, but for somebody with an exception. */
async function expectNothingDecidedInLocks(step: string, since: string) {
  const against = await database.query(
    `select d.number, i.serial_number, k.number as lock
     from decision d
     cross join lateral (
       select invoice_serial_number as serial from decision_part where organization_id = d.organization_id and decision = d.number
       union select invoice_serial_number from decision_invoice where organization_id = d.organization_id and decision = d.number) p
     join invoice i on i.organization_id = d.organization_id and i.serial_number = p.serial
     join period_lock k on k.organization_id = d.organization_id and k.month = date_trunc('month', i.issuing_date)
       and (k.profile_id is null or k.profile_id = i.profile_id) and k.reopened_at is null
     where d.organization_id = $1 and d.number > $2::bigint and not exists (
       select from lock_exception e where e.organization_id = d.organization_id and e.lock_number = k.number
         and e.person_id = d.actor_id and e.until > now() and e.ended_at is null)`,
    [organizationId, since],
  )
  expect(against, step).toEqual([])
}

test('the walks came through every step, and through refusals and ends of each kind', () => {
  for (const what of [
    'changed',
    'decided',
    'checks',
    'superseded',
    'prepared signed',
    'prepared refused already',
    'prepared refused period-locked',
    'approved signed',
    'approved refused four-eyes',
    'approved refused no-step-before',
    'lock locked',
    'lock refused already',
    'reopen reopened',
    'decide decided',
    'decide period-locked',
    'drift',
    'rule decided',
    'rule prepared',
  ])
    expect([...reached]).toContain(what)
  expect(listScopes().filter(isPeriod)).toHaveLength(6)
})
