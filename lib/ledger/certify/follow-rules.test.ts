/** Rules at work, by the doors and the locks of people, and what the database refuses to them. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { lockPeriod } from '../close/lock-period.ts'
import { previewSignOff, type Signer, signOff } from '../close/sign-off.ts'
import { decide } from '../review/decide.ts'
import { getLineReview, listDecisions } from '../review/list-decisions.ts'
import { previewDecision } from '../review/preview-decision.ts'
import {
  decimal,
  makeInvoice,
  makeLine,
  type SeededPerson,
  seedEndedSync,
  seedInvoices,
  seedLines,
  seedTwoPeople,
} from '../test-support/seed.ts'
import { followRules } from './follow-rules.ts'
import { askForTrial, changeRule, letRulesApprove, makeRule, switchRule, type WishedTerms } from './keep-rules.ts'
import { listCertification } from './list-certification.ts'
import { runTrials } from './run-trials.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let ada: SeededPerson
let ben: SeededPerson

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  ;({ organizationId, connectionId, ada, ben } = await seedTwoPeople(database.query))
  await seedInvoices(organizationId, connectionId, [
    makeInvoice({ serialNumber: 'A', total: decimal('238.00') }),
    makeInvoice({ serialNumber: 'B', total: decimal('237.99') }),
  ])
  await seedLines(organizationId, connectionId, [
    makeLine({ id: 'A1', invoiceSerialNumber: 'A' }),
    makeLine({ id: 'A2', invoiceSerialNumber: 'A' }),
    makeLine({ id: 'B1', invoiceSerialNumber: 'B' }),
    // explained by a way of rounding that nobody has accepted
    makeLine({
      id: 'B2',
      invoiceSerialNumber: 'B',
      unitPrice: decimal('99.996'),
      totalAmount: decimal('118.99'),
    }),
  ])
  await endSync()
})
afterEach(() => switchPool(database.urls.both))

const signal = new AbortController().signal
const follow = (may = true) => followRules(signal, () => may)
const who = ({ actor, name }: Signer) => ({ organizationId, actor, name })

const TERMS: WishedTerms = {
  verb: 'accept',
  conditions: ['complete', 'residual'],
  limits: {},
  share: decimal('0'),
  monthsLeftOut: [],
  activeFrom: '2026-01-01',
}

const endSync = () => seedEndedSync(database.query, { organizationId, connectionId })

async function turnOn(owner: Signer, change: Partial<WishedTerms> = {}) {
  const made = await makeRule(who(owner), 'What adds up', { ...TERMS, ...change })
  const trial = (await askForTrial(who(owner), { rule: made.id, version: 1, from: '2026-01', to: '2026-06' })) as string
  await runTrials(signal)
  await switchRule(who(owner), made.id, trial)
  return { ...made, trial }
}

const readStates = async () =>
  Object.fromEntries(
    (
      await database.query<{ id: string; state: string }>(
        'select line_id as id, state from line_review where organization_id = $1 order by 1',
        [organizationId],
      )
    ).map(({ id, state }) => [id, state]),
  )

async function sign(signer: Signer, serialNumber: string, step: 'prepared' | 'approved') {
  const scope = { kind: 'invoice', connectionId, serialNumber } as const
  const { sealHex } = await previewSignOff(organizationId, scope, step, null)
  return signOff(organizationId, signer, scope, step, { sealHex, residuals: [], runningRun: null })
}

const readSigned = () =>
  database.query(
    `select invoice_serial_number as serial, step, actor_kind as kind, actor_name as name from sign_off
     where organization_id = $1 order by at`,
    [organizationId],
  )

test('a rule accepts what meets its conditions, by its owner and under its name, once, and says why the rest stays', async () => {
  const { id } = await turnOn(ada)
  await Promise.all([follow(), follow()])
  await follow()
  expect(await readStates()).toEqual({ A1: 'accepted', A2: 'accepted', B1: 'accepted' })
  const decisions = await listDecisions(organizationId)
  expect(decisions.map(({ name, lineCount }) => ({ name, lineCount }))).toEqual([
    { name: 'rule What adds up (Ada Admin)', lineCount: 3 },
  ])
  expect(await getLineReview(organizationId, connectionId, 'A1')).toMatchObject({
    events: [{ name: 'rule What adds up (Ada Admin)' }],
  })
  const [turn] = await database.query('select failed from rule_turn where organization_id = $1', [organizationId])
  expect(turn).toEqual({ failed: [{ condition: 'proved', lineCount: 1 }] })
  const [entry] = await database.query<{ actor_id: string; after: string }>(
    `select actor_id, after from audit_entry where organization_id = $1 and action = 'review.accepted'`,
    [organizationId],
  )
  expect(entry?.actor_id).toBe(ada.id)
  expect(JSON.parse(entry?.after ?? '{}')).toMatchObject({ lines: 3, rule: 'What adds up', version: 1 })
  expect(
    await database.query('select rule_id, actor_kind, actor_id from decision where organization_id = $1', [
      organizationId,
    ]),
  ).toEqual([{ rule_id: id, actor_kind: 'rule', actor_id: ada.id }])
})

test('with the role of the worker a rule does all its work, and takes up what a worker that died has left', async () => {
  await turnOn(ada, { verb: 'prepare' })
  await switchPool(database.urls.worker)
  await follow()
  // as after a death between the decision and the end of the turn
  await database.query('delete from rule_turn where organization_id = $1', [organizationId])
  await database.query(
    `insert into sign_off_end (organization_id, sign_off_id, cause, connection_id)
     select organization_id, id, 'changed', connection_id from sign_off where organization_id = $1`,
    [organizationId],
  )
  await follow()
  expect(await readStates()).toEqual({ A1: 'accepted', A2: 'accepted', B1: 'accepted' })
  expect(await listDecisions(organizationId)).toHaveLength(1)
  expect(await readSigned()).toHaveLength(2)
})

test('what a person decided, or took back from a rule, is never decided by a rule again', async () => {
  await turnOn(ada)
  await follow()
  const [decision] = await listDecisions(organizationId)
  const asked = { kind: 'undo', decision: decision?.number ?? '' } as const
  const seen = await previewDecision(organizationId, asked)
  await decide(organizationId, ben, { asked, ...seen, reason: null, note: null, expectedBack: null })
  await seedLines(organizationId, connectionId, [makeLine({ id: 'A3', invoiceSerialNumber: 'A' })])
  await seedInvoices(organizationId, connectionId, [makeInvoice({ serialNumber: 'A', total: decimal('357.00') })])
  await endSync()
  await follow()
  expect(await readStates()).toEqual({ A3: 'accepted' })
})

test('a rule prepares whole invoices, and its owner may not approve what only the rule prepared', async () => {
  await turnOn(ada, { verb: 'prepare' })
  await follow()
  expect(await readSigned()).toEqual([
    { serial: 'A', step: 'prepared', kind: 'rule', name: 'rule What adds up (Ada Admin)' },
  ])
  expect(await sign(ada, 'A', 'approved')).toEqual({ kind: 'refused', code: 'four-eyes' })
  expect(await sign(ben, 'A', 'approved')).toMatchObject({ kind: 'signed' })
})

test('what fell after a rule accepted it stays for people, and so does its invoice', async () => {
  await turnOn(ada, { verb: 'prepare' })
  await follow()
  // it adds up as before, and so does its invoice
  const more = { unitPrice: decimal('110.00'), taxAmount: decimal('20.90'), totalAmount: decimal('130.90') }
  await seedLines(organizationId, connectionId, [makeLine({ id: 'A1', invoiceSerialNumber: 'A', ...more })])
  await seedInvoices(organizationId, connectionId, [makeInvoice({ serialNumber: 'A', total: decimal('249.90') })])
  await endSync()
  await follow()
  expect(await readStates()).toEqual({ A1: 'suspended', A2: 'accepted', B1: 'accepted' })
  expect(await readSigned()).toHaveLength(1)
  const [turn] = await database.query('select refused from rule_turn where organization_id = $1', [organizationId])
  expect(turn).toEqual({ refused: [{ code: 'fallen', invoiceCount: 1 }] })
})

test('a rule approves only where the organization says so, and never what its own owner prepared', async () => {
  await expect(makeRule(who(ada), 'Approves', { ...TERMS, verb: 'approve' })).rejects.toMatchObject({
    code: 'rule-may-not-approve',
  })
  await letRulesApprove(who(ada), true)
  await turnOn(ada, { verb: 'approve' })
  await follow()
  await sign(ben, 'A', 'prepared')
  await endSync()
  await letRulesApprove(who(ada), false)
  await follow()
  expect((await readSigned()).map(({ step }) => step)).toEqual(['prepared'])
  await letRulesApprove(who(ada), true)
  await endSync()
  await follow()
  expect((await readSigned()).map(({ step, kind }) => [step, kind])).toEqual([
    ['prepared', 'person'],
    ['approved', 'rule'],
  ])
})

test('four eyes hold for a rule that approves: what its owner prepared by hand stays prepared', async () => {
  await letRulesApprove(who(ada), true)
  await turnOn(ada, { verb: 'approve' })
  await follow()
  await sign(ada, 'A', 'prepared')
  await endSync()
  await follow()
  expect((await readSigned()).map(({ step }) => step)).toEqual(['prepared'])
  const [turn] = await database.query('select refused from rule_turn where organization_id = $1', [organizationId])
  expect(turn).toEqual({ refused: [{ code: 'four-eyes', invoiceCount: 1 }] })
})

test('nothing is decided or prepared by a rule in a locked month', async () => {
  const scope = { kind: 'connection_month', connectionId, month: '2026-03' } as const
  for (const [signer, step] of [
    [ada, 'prepared'],
    [ben, 'approved'],
  ] as const) {
    const { sealHex, open } = await previewSignOff(organizationId, scope, step, null)
    const residuals = step === 'prepared' ? open.map((each) => ({ ...each, reason: 'Agreed', note: null })) : []
    await signOff(organizationId, signer, scope, step, { sealHex, residuals, runningRun: null })
  }
  expect(await lockPeriod(organizationId, ben, scope)).toMatchObject({ kind: 'locked' })
  await turnOn(ada, { verb: 'prepare' })
  await follow()
  expect(await readStates()).toEqual({})
  expect(await readSigned()).toHaveLength(2)
  const [turn] = await database.query('select failed from rule_turn where organization_id = $1', [organizationId])
  expect(turn).toMatchObject({ failed: expect.arrayContaining([{ condition: 'locked', lineCount: 4 }]) })
})

const HALF_A_YEAR = { version: 1, from: '2026-01', to: '2026-06' }

test('a rule that fails keeps no other one from its trial and its turn; three times tried, its trial is given up', async () => {
  // as no door of ours lets it in
  const odd = await makeRule(who(ada), 'Odd', { ...TERMS, limits: { EUR: 'much' as DecimalText } })
  const given = await askForTrial(who(ada), { ...HALF_A_YEAR, rule: odd.id })
  await turnOn(ada)
  await runTrials(signal)
  const { rules } = await listCertification(organizationId)
  expect(rules.map(({ name, trial }) => [name, trial?.isFailed, trial?.figures === null])).toEqual([
    ['Odd', true, true],
    ['What adds up', false, false],
  ])
  expect(await readTries(given)).toEqual([{ tries: 3 }])
  const [whole] = await database.query<{ number: string }>(
    `insert into rule_trial (organization_id, rule_id, version, first_month, last_month, asked_by, asked_by_name, done_at, figures)
     values ($1, $2, 1, '2026-01-01', '2026-06-01', $3, 'Ada', now(), '{}') returning number::text`,
    [organizationId, odd.id, ada.id],
  )
  await switchRule(who(ada), odd.id, whole?.number as string)
  await follow()
  expect(await readStates()).toEqual({ A1: 'accepted', A2: 'accepted', B1: 'accepted' })
  const turns = await database.query('select rule_id from rule_turn where organization_id = $1', [organizationId])
  expect(turns).toHaveLength(1)
})

const readTries = (number: string | null) =>
  database.query('select tries from rule_trial where organization_id = $1 and number = $2', [organizationId, number])

test('a trial is one worker’s until its lease ends, and then another one’s', async () => {
  const { id } = await makeRule(who(ada), 'What adds up', TERMS)
  const trial = await askForTrial(who(ada), { ...HALF_A_YEAR, rule: id })
  // as of a worker that has died in the middle
  await database.query(
    `update rule_trial set lease_until = now() + interval '1 minute', tries = 1 where rule_id = $1`,
    [id],
  )
  await runTrials(signal)
  expect(await readTries(trial)).toEqual([{ tries: 1 }])
  await database.query(`update rule_trial set lease_until = now() - interval '1 second' where rule_id = $1`, [id])
  await Promise.all([runTrials(signal), runTrials(signal)])
  expect(await readTries(trial)).toEqual([{ tries: 2 }])
  expect((await listCertification(organizationId)).rules[0]?.trial?.figures).toMatchObject({ lineCount: 3 })
})

test('a line that changed after the sync is left to the next one, which judges it as it is', async () => {
  await turnOn(ada)
  await seedLines(organizationId, connectionId, [
    makeLine({ id: 'A1', invoiceSerialNumber: 'A', totalAmount: decimal('140.00') }),
  ])
  await follow()
  expect(await readStates()).toEqual({ B1: 'accepted' })
  await seedLines(organizationId, connectionId, [makeLine({ id: 'A1', invoiceSerialNumber: 'A' })])
  await endSync()
  await follow()
  expect(await readStates()).toEqual({ A1: 'accepted', A2: 'accepted', B1: 'accepted' })
})

test('a rule whose owner is gone, or may no longer do it, does nothing; nor does one that is off', async () => {
  const { id } = await turnOn(ada)
  await follow(false)
  await database.query('update app_user set disabled_at = now() where id = $1', [ada.id])
  await follow()
  await database.query('update app_user set disabled_at = null where id = $1', [ada.id])
  await switchRule(who(ben), id, null)
  await follow()
  expect(await readStates()).toEqual({})
})

test('of two people who change a rule at the same moment, the second waits for the first and is told', async () => {
  const { id } = await makeRule(who(ada), 'What adds up', TERMS)
  let second: Promise<unknown> | undefined
  await withTenantSql(organizationId, async (sql) => {
    await sql(
      `insert into rule_version (organization_id, rule_id, version, verb, conditions, limits, share, seed, months_left_out, active_from,
         made_by, made_by_name)
       select organization_id, rule_id, 2, verb, conditions, limits, 7, seed, months_left_out, active_from, made_by, made_by_name
       from rule_version where organization_id = $1 and rule_id = $2 returning 1`,
      [organizationId, id],
    )
    second = changeRule(who(ben), id, 1, { ...TERMS, share: decimal('9') })
    await expect.poll(() => isWaiting(database, 'rule_version'), { timeout: 10_000 }).toBe(true)
  })
  expect(await second).toEqual({ kind: 'changed' })
  const kept = await database.query('select version, share::text from rule_version where rule_id = $1 order by 1', [id])
  expect(kept).toEqual([
    { version: 1, share: '0' },
    { version: 2, share: '7' },
  ])
})

test.each(['web', 'worker'] as const)(
  'with the role of the %s, no version counts without a trial of that very version, and none that is off decides',
  async (role) => {
    const { id, trial } = await turnOn(ada)
    const changed = await changeRule(who(ben), id, 1, { ...TERMS, share: decimal('50') })
    expect(changed).toEqual({ kind: 'done', id, version: 2 })
    const open = await askForTrial(who(ben), { rule: id, version: 2, from: '2026-01', to: '2026-06' })
    await expect(switchRule(who(ben), id, open)).rejects.toMatchObject({ code: 'rule-not-tried' })
    const other = await makeRule(who(ben), 'Another', TERMS)
    await switchPool(database.urls[role])
    const run = (text: string, values: unknown[] = []) =>
      withTenantSql(organizationId, (sql) => sql(text, [organizationId, id, ...values]))
    if (role === 'web') {
      const insert = `insert into rule_switch (organization_id, rule_id, version, trial, actor_id, actor_name) values ($1, $2, $3, $4, $5, 'x')`
      await expect(run(insert, [2, trial, ben.id])).rejects.toMatchObject({ code: 'rule-not-tried' })
      await expect(switchRule(who(ben), other.id, trial)).resolves.toBe(false)
    }
    const accept = `insert into decision (organization_id, number, kind, actor_kind, actor_id, actor_name, question, set_hash, line_count, totals,
        state, decided_at, rule_id, rule_version)
      values ($1, 99, $5, 'rule', $4, 'x', '', '', 0, '[]', 'applied', now(), $2, $3)`
    // a version that does not count, somebody else's, another verb
    for (const [version, owner, kind] of [
      [2, ben.id, 'accept'],
      [1, ben.id, 'accept'],
      [1, ada.id, 'dispute'],
    ])
      await expect(run(accept, [version, owner, kind])).rejects.toMatchObject({ code: 'rule-not-tried' })
    for (const change of [
      `update rule_version set share = 0 where organization_id = $1 and rule_id = $2`,
      `delete from rule_trial where organization_id = $1 and rule_id = $2`,
      `update rule_switch set version = 2 where organization_id = $1 and rule_id = $2`,
    ])
      await expect(run(change)).rejects.toThrow(/permission denied|append-only/)
  },
)
