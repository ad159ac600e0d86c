/**
 * Six months of syncs, with a rule at work after each, and at the end the same version replayed
 * over what the database kept: the two have to agree to the line.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { TrialFigures } from '#lib/reconcile/certify/trial-figures.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decide } from '../review/decide.ts'
import type { Asked } from '../review/line-set.ts'
import { previewDecision } from '../review/preview-decision.ts'
import { decideHabit } from '../rules/change-rules.ts'
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
import { followRules } from './follow-rules.ts'
import { askForTrial, makeRule, switchRule, type WishedTerms } from './keep-rules.ts'
import { runTrials } from './run-trials.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let ada: SeededPerson

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  ;({ organizationId, connectionId, ada } = await seedTwoPeople(database.query))
})

const who = () => ({ organizationId, actor: ada.actor, name: ada.name })
const signal = new AbortController().signal
const everybody = () => true

const TERMS: WishedTerms = {
  verb: 'accept',
  conditions: ['complete', 'residual', 'vendor', 'regime'],
  limits: { EUR: decimal('500') },
  share: decimal('20'),
  monthsLeftOut: [12],
  activeFrom: '2026-01-01',
}

const endSync = () => seedEndedSync(database.query, { organizationId, connectionId })

type Written = Parameters<typeof makeLine>[0]

/** Lines of one month's invoice, each with an id of its own. */
const lineOf = (month: number, at: number, change: Written = {}) =>
  makeLine({
    id: `M${month}-${at}`,
    invoiceSerialNumber: `INV-${month}`,
    issuingDate: day(`2026-0${month}-28`),
    vendorName: `Hotel ${at % 3}`,
    ...change,
  })

const invoiceOf = (month: number, count: number, change: Parameters<typeof makeInvoice>[0] = {}) =>
  makeInvoice({
    serialNumber: `INV-${month}`,
    issuingDate: day(`2026-0${month}-28`),
    total: decimal(`${count * 119}.00`),
    ...change,
  })

async function turnOn(terms: WishedTerms) {
  const { id, version } = await makeRule(who(), 'What adds up', terms)
  const trial = await tryOut(id, version)
  await switchRule(who(), id, trial)
  return { id, version }
}

async function tryOut(rule: string, version: number, from = '2026-01', to = '2026-06'): Promise<string> {
  const trial = (await askForTrial(who(), { rule, version, from, to })) as string
  await runTrials(signal)
  return trial
}

const readFigures = async (trial: string) =>
  (
    await database.query<{ figures: TrialFigures }>(
      'select figures from rule_trial where organization_id = $1 and number = $2',
      [organizationId, trial],
    )
  )[0]?.figures as TrialFigures

const readTried = (trial: string) =>
  database.query(
    `select connection_id, invoice_serial_number, unnest(line_ids) as id from rule_trial_part
     where organization_id = $1 and trial = $2 order by 1, 2, 3`,
    [organizationId, trial],
  )

const readAccepted = () =>
  database.query(
    `select p.connection_id, p.invoice_serial_number, unnest(p.line_ids) as id from decision_part p
     join decision d on d.organization_id = p.organization_id and d.number = p.decision
     where p.organization_id = $1 and d.rule_id is not null order by 1, 2, 3`,
    [organizationId],
  )

async function decideByHand(kind: 'accept' | 'dispute' | 'withdraw', ids: readonly string[]) {
  const asked: Asked = { kind, set: { query: DEFAULT_LINE_QUERY, only: ids.map((id) => `${connectionId}~${id}`) } }
  const seen = await previewDecision(organizationId, asked)
  const reason = { accept: 'agreed', dispute: 'too_much', withdraw: null }[kind]
  return decide(organizationId, who(), { asked, ...seen, reason, note: null, expectedBack: null })
}

/** Six months, in each of which something happens that a rule has to know the time of. */
async function liveThrough(afterSync: () => Promise<void>) {
  const sync = async (write: () => Promise<unknown>) => {
    await write()
    await endSync()
    await afterSync()
  }
  for (let month = 1; month <= 6; month += 1) {
    const lines = Array.from({ length: 12 }, (_, at) => lineOf(month, at))
    // one that does not add up, one that a way of rounding explains, one over the limit, one of a
    // new regime
    lines[8] = lineOf(month, 8, { totalAmount: decimal('119.01') })
    lines[9] = lineOf(month, 9, { unitPrice: decimal('99.996'), totalAmount: decimal('118.99') })
    lines[10] = lineOf(month, 10, {
      unitPrice: decimal('1000.00'),
      taxAmount: decimal('190.00'),
      totalAmount: decimal('1190.00'),
    })
    lines[11] = lineOf(month, 11, month === 4 ? { taxRegime: 'NEW' } : {})
    const total = { total: decimal('2499.00') }
    // first half of it comes: it is not complete
    await sync(async () => {
      await seedInvoices(organizationId, connectionId, [invoiceOf(month, 0, total)])
      await seedLines(organizationId, connectionId, lines.slice(0, 6))
    })
    await sync(() => seedLines(organizationId, connectionId, lines.slice(6)))
    if (month === 2) await decideByHand('dispute', ['M1-0', 'M2-3', 'M2-9'])
    if (month === 3)
      await sync(() =>
        seedLines(organizationId, connectionId, [
          lineOf(1, 1, { quantity: decimal('2'), unitPrice: decimal('50.00'), vendorName: 'Hotel 9' }),
          lineOf(2, 1, { totalAmount: decimal('125.00') }),
        ]),
      )
    if (month === 4)
      await sync(() =>
        database.query(
          `update line set missing_since = statement_timestamp() where organization_id = $1 and id in ('M3-1', 'M3-2')`,
          [organizationId],
        ),
      )
    if (month === 5) {
      await decideHabit(
        who(),
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
      )
      await judgeOrganization(organizationId)
      await sync(() => seedInvoices(organizationId, connectionId, [invoiceOf(3, 0, { total: decimal('2000.00') })]))
    }
  }
}

test('a replay over six months is, to the line, what the rule did live in the same months', async () => {
  const { id, version } = await turnOn(TERMS)
  await liveThrough(() => followRules(signal, everybody))
  const trial = await tryOut(id, version)
  const accepted = await readAccepted()
  expect(accepted.length).toBeGreaterThan(20)
  expect(await readTried(trial)).toEqual(accepted)
  const { lineCount, left, failed } = await readFigures(trial)
  expect(lineCount).toBe(accepted.length)
  expect(left).toBe(72 - accepted.length)
  expect(failed.map(({ condition }) => condition)).toEqual(
    expect.arrayContaining(['proved', 'vendor', 'regime', 'limit', 'decided', 'sample']),
  )
})

test('a replay in a database where no rule ever was is the same as a live run beside it', async () => {
  await liveThrough(async () => undefined)
  const { id, version } = await makeRule(who(), 'Never on', { ...TERMS, share: decimal('0') })
  const untouched = await readTried(await tryOut(id, version))
  ;({ organizationId, connectionId, ada } = await seedTwoPeople(database.query))
  await turnOn({ ...TERMS, share: decimal('0') })
  await liveThrough(() => followRules(signal, everybody))
  const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ id: line }) => line).sort()
  expect(ids(untouched).length).toBeGreaterThan(30)
  expect(ids(untouched)).toEqual(ids(await readAccepted()))
})

test('every change and dispute that was planted after a line was accepted is counted, with its money', async () => {
  const { id, version } = await makeRule(who(), 'All', { ...TERMS, share: decimal('0'), conditions: [], limits: {} })
  await seedInvoices(organizationId, connectionId, [invoiceOf(1, 8)])
  await seedLines(
    organizationId,
    connectionId,
    Array.from({ length: 8 }, (_, at) => lineOf(1, at)),
  )
  await endSync()
  const before = await readFigures(await tryOut(id, version))
  expect(before).toMatchObject({ lineCount: 8, totals: [{ currency: 'EUR', amount: '952.00' }] })
  expect(before.later).toEqual({ lineCount: 0, changed: 0, disputed: 0, money: [] })
  // the amount, the tax alone, gone, there and back again, disputed, changed back again
  await seedLines(organizationId, connectionId, [
    lineOf(1, 0, { totalAmount: decimal('131.40') }),
    lineOf(1, 1, { taxRegime: 'OTHER' }),
    lineOf(1, 5, { totalAmount: decimal('1.00') }),
  ])
  await seedLines(organizationId, connectionId, [lineOf(1, 5)])
  for (const missing of ['statement_timestamp()', 'null'])
    await database.query(`update line set missing_since = ${missing} where organization_id = $1 and id = any ($2)`, [
      organizationId,
      missing === 'null' ? ['M1-3'] : ['M1-2', 'M1-3'],
    ])
  await decideByHand('dispute', ['M1-4'])
  // neither a name nor a status is a change
  await seedLines(organizationId, connectionId, [lineOf(1, 6, { invoiceStatus: 'overdue', costCenter: '1' })])
  const after = await tryOut(id, version)
  const figures = await readFigures(after)
  expect(figures.lineCount).toBe(8)
  expect(figures.later).toEqual({
    lineCount: 6,
    changed: 5,
    disputed: 1,
    // 12.40 more, 0, 119.00 gone, 0, 119.00 disputed, 0
    money: [{ currency: 'EUR', amount: '250.40' }],
  })
  const [part] = await database.query<{ later_ids: string[] }>(
    'select later_ids from rule_trial_part where organization_id = $1 and trial = $2',
    [organizationId, after],
  )
  expect(part?.later_ids).toEqual(['M1-0', 'M1-1', 'M1-2', 'M1-3', 'M1-4', 'M1-5'])
})
