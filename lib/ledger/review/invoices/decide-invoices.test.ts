import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ReviewChoice, ReviewVerb } from '#lib/reconcile/review/review-state.ts'
import { notePlainInvoices } from '../../kept/plain-invoices/note-plain-invoices.ts'
import { DEFAULT_INVOICE_QUERY, type InvoiceQuery } from '../../query/invoice-query.ts'
import { EVERYTHING } from '../../query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY } from '../../query/line-query.ts'
import { getInvoice } from '../../read/get-invoice.ts'
import { getProofs } from '../../read/get-proofs.ts'
import { listInvoices } from '../../read/list-invoices.ts'
import { setCheck } from '../../rules/change-rules.ts'
import {
  decimal,
  makeInvoice,
  makeLine,
  seedInvoices,
  seedLines,
  seedOrganization,
  seedTwoPeople,
} from '../../test-support/seed.ts'
import { type Decider, decide } from '../decide.ts'
import { listDecisions } from '../list-decisions.ts'
import { previewDecision } from '../preview-decision.ts'
import { countInvoiceReview } from './count-invoices.ts'
import { decideInvoices, previewInvoices } from './decide-invoices.ts'
import type { InvoicesAsked } from './invoice-set.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let people: [Decider, Decider]

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Three invoices: one states 10.00 too much, one 4.00 too little, one is right. */
beforeEach(async () => {
  const { ada, ben, ...seeded } = await seedTwoPeople(database.query, 'finance')
  ;({ organizationId, connectionId } = seeded)
  people = [ada, ben]
  await seedLines(
    organizationId,
    connectionId,
    ['ABOVE', 'BELOW', 'RIGHT'].map((serial) => makeLine({ id: `of ${serial}`, invoiceSerialNumber: serial })),
  )
  await states('ABOVE', '129.00')
  await states('BELOW', '115.00')
  await states('RIGHT', '119.00')
})

const states = (serialNumber: string, total: string) =>
  seedInvoices(organizationId, connectionId, [makeInvoice({ serialNumber, total: decimal(total), taxesSummary: [] })])

const keyOf = (serial: string) => `${connectionId}~${serial}`

function askOf(kind: ReviewVerb, serials: string[], query: InvoiceQuery = DEFAULT_INVOICE_QUERY): InvoicesAsked {
  return { kind, invoices: { query, only: serials.map(keyOf) } }
}

async function decideOn(
  asked: InvoicesAsked,
  decider = people[0],
  reason: string | null = asked.kind === 'dispute' ? 'too_much' : 'agreed',
) {
  const { hash, at, lastDecision } = await previewInvoices(organizationId, asked)
  return decideInvoices(organizationId, decider, { asked, hash, at, lastDecision, reason, note: null })
}

async function standOf(serial: string) {
  return (await getInvoice(organizationId, connectionId, serial))?.review ?? null
}

async function listedIn(...reviews: ReviewChoice[]): Promise<string[]> {
  const { rows } = await listInvoices(organizationId, { ...DEFAULT_INVOICE_QUERY, reviews })
  return rows.map(({ serialNumber }) => serialNumber).sort()
}

test('an invoice’s own finding is accepted, disputed and reopened, and each is listed where it stands', async () => {
  expect(await listedIn('open')).toEqual(['ABOVE', 'BELOW'])
  expect((await decideOn(askOf('accept', ['ABOVE']))).kind).toBe('decided')
  expect((await decideOn(askOf('dispute', ['BELOW']))).kind).toBe('decided')
  expect(await listedIn('open')).toEqual([])
  expect(await listedIn('accepted')).toEqual(['ABOVE'])
  expect(await listedIn('disputed')).toEqual(['BELOW'])
  expect(await standOf('RIGHT')).toBeNull()
  expect(await standOf('ABOVE')).toMatchObject({ state: 'accepted', decision: '1', name: 'Ada Admin' })
  expect((await decideOn(askOf('withdraw', ['ABOVE']), people[0], null)).kind).toBe('decided')
  expect(await listedIn('open')).toEqual(['ABOVE'])
  const { decisions } = (await getInvoice(organizationId, connectionId, 'ABOVE')) ?? { decisions: [] }
  expect(decisions.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['withdraw', null],
    ['accept', 'agreed'],
  ])
})

test('a preview says what changes, what is so already and what cannot be, with sums, and changes nothing', async () => {
  await decideOn(askOf('accept', ['BELOW']))
  const preview = await previewInvoices(organizationId, askOf('accept', ['ABOVE', 'BELOW', 'RIGHT']))
  expect(preview).toMatchObject({ of: 'invoice', lineCount: 3, asksForReason: true, lastDecision: '1' })
  expect(preview.parts).toEqual([
    {
      outcome: 'already',
      state: 'accepted',
      totals: [{ currency: 'EUR', lineCount: 1, totalAmount: '115.00', difference: '4.00' }],
      since: [{ name: 'Ada Admin', number: '1', at: expect.any(String), lineCount: 1 }],
    },
    {
      outcome: 'cannot',
      state: 'open',
      totals: [{ currency: 'EUR', lineCount: 1, totalAmount: '119.00', difference: '0' }],
      since: [],
    },
    {
      outcome: 'changes',
      state: 'open',
      totals: [{ currency: 'EUR', lineCount: 1, totalAmount: '129.00', difference: '10.00' }],
      since: [],
    },
  ])
  expect(preview.reasons).toMatchObject([{ lineState: 'unexplained', reason: 'total' }])
  expect(await listedIn('open')).toEqual(['ABOVE'])
})

test('money that nothing explains is accepted with a reason only', async () => {
  expect((await decideOn(askOf('accept', ['ABOVE']), people[0], null)).kind).toBe('needs-reason')
  expect((await decideOn(askOf('accept', ['ABOVE']), people[0], 'as_explained')).kind).toBe('needs-reason')
  expect(await listedIn('open')).toEqual(['ABOVE', 'BELOW'])
  expect(await listDecisions(organizationId)).toEqual([])
})

test.each([
  ['the platform states another total', 'changed', () => states('ABOVE', '130.00'), () => states('ABOVE', '129.00')],
  ['a line of it changes', 'changed', () => relabel('140.00'), () => relabel('119.00')],
  ['the platform removes it', 'gone', () => mark(new Date()), () => mark(null)],
  ['a rule says something else of it', 'proof', () => tolerate(true), () => tolerate(false)],
] as const)(
  'a decision falls when %s, and is back by itself when it is again what was seen',
  async (_, cause, change, back) => {
    await decideOn(askOf('accept', ['ABOVE']))
    await change()
    expect(await standOf('ABOVE')).toMatchObject({ state: 'suspended', previous: 'accepted', cause, decision: '1' })
    await back()
    expect(await standOf('ABOVE')).toMatchObject({ state: 'accepted', previous: null, cause: null })
  },
)

const relabel = (total: string) =>
  seedLines(organizationId, connectionId, [
    makeLine({ id: 'of ABOVE', invoiceSerialNumber: 'ABOVE', totalAmount: decimal(total) }),
  ])
const mark = (at: Date | null) =>
  database.query('update invoice set missing_since = $2 where organization_id = $1 and serial_number = $3', [
    organizationId,
    at,
    'ABOVE',
  ])
const tolerate = (isTolerated: boolean) =>
  setCheck({ organizationId, actor: people[0].actor }, 'invoice_total', {
    level: 'finding',
    tolerance: isTolerated ? { EUR: decimal('20.00') } : {},
  })

test('a changed status lets nothing fall', async () => {
  await decideOn(askOf('accept', ['ABOVE']))
  await seedInvoices(organizationId, connectionId, [
    makeInvoice({ serialNumber: 'ABOVE', total: decimal('129.00'), taxesSummary: [], status: 'paid' }),
  ])
  expect(await standOf('ABOVE')).toMatchObject({ state: 'accepted' })
})

test('a fallen decision is found where things changed since, also when the invoice ties out by now', async () => {
  await decideOn(askOf('dispute', ['ABOVE']))
  await states('ABOVE', '119.00')
  expect(await listedIn('suspended')).toEqual(['ABOVE'])
  expect(await listedIn('open', 'disputed')).toEqual(['BELOW'])
  expect((await decideOn(askOf('accept', ['ABOVE']), people[0], null)).kind).toBe('decided')
  expect(await listedIn('accepted')).toEqual(['ABOVE'])
})

test('the second of two people decides on what is no longer so, is told who did, and changes nothing', async () => {
  const asked = askOf('dispute', ['ABOVE'])
  const seen = await previewInvoices(organizationId, asked)
  await decideOn(askOf('accept', ['ABOVE']))
  const ended = await decideInvoices(organizationId, people[1], { asked, ...seen, reason: 'too_much', note: null })
  expect(ended).toMatchObject({ kind: 'changed', changes: { others: [{ name: 'Ada Admin', number: '1' }] } })
  expect(await listedIn('accepted')).toEqual(['ABOVE'])
  expect(await listDecisions(organizationId)).toHaveLength(1)
})

test('an invoice that changes between the preview and the decision is not decided', async () => {
  const asked = askOf('accept', ['ABOVE'])
  const seen = await previewInvoices(organizationId, asked)
  await states('ABOVE', '150.00')
  const ended = await decideInvoices(organizationId, people[0], { asked, ...seen, reason: 'agreed', note: null })
  expect(ended.kind).toBe('changed')
  expect(await listedIn('open')).toEqual(['ABOVE', 'BELOW'])
})

test('an undo restores what stood before, and leaves alone what somebody decided since', async () => {
  const first = await decideOn(askOf('accept', ['ABOVE', 'BELOW']))
  await decideOn(askOf('dispute', ['BELOW']), people[1], 'too_much')
  if (first.kind !== 'decided') throw new Error(first.kind)
  const asked: InvoicesAsked = { kind: 'undo', decision: first.number }
  const preview = await previewInvoices(organizationId, asked)
  expect(preview.parts).toMatchObject([
    { outcome: 'cannot', state: 'disputed', since: [{ name: 'Ben', number: '2' }] },
    { outcome: 'changes', state: 'accepted' },
  ])
  expect((await decideOn(asked, people[0], null)).kind).toBe('decided')
  expect(await listedIn('open')).toEqual(['ABOVE'])
  expect(await listedIn('disputed')).toEqual(['BELOW'])
  expect((await decideOn({ kind: 'undo', decision: '2' }, people[0], null)).kind).toBe('decided')
  expect(await listedIn('accepted')).toEqual(['BELOW'])
  const made = await listDecisions(organizationId)
  expect(made.map(({ kind, invoiceCount, standing }) => [kind, invoiceCount, standing])).toEqual([
    ['undo', 1, 0],
    ['undo', 1, 0],
    ['dispute', 1, 0],
    ['accept', 2, 1],
  ])
})

test('all of a list is decided at once, but for what was taken out of it', async () => {
  const query = { ...DEFAULT_INVOICE_QUERY, findings: ['total' as const] }
  const asked: InvoicesAsked = { kind: 'accept', invoices: { query, except: [keyOf('BELOW')] } }
  expect(await decideOn(asked)).toMatchObject({ kind: 'decided', lineCount: 1 })
  expect(await listedIn('accepted')).toEqual(['ABOVE'])
  const all: InvoicesAsked = { kind: 'dispute', invoices: { query, except: [] } }
  expect(await decideOn(all)).toMatchObject({ kind: 'decided', lineCount: 2 })
  const made = await listDecisions(organizationId)
  expect(made.map(({ pick, pickedCount }) => [pick, pickedCount])).toEqual([
    ['all', null],
    ['except', 1],
  ])
})

test('what is decided is no need on the overview any more, and every sum stays', async () => {
  const read = async () => {
    const { tieOut } = await getProofs(organizationId, new Date())
    const [euro] = tieOut.currencies
    return {
      found: tieOut.findings.map(({ code, invoiceCount }) => [code, invoiceCount]),
      unexplained: euro?.unexplained,
      open: euro?.openInvoices
        .filter(({ isDecided }) => !isDecided)
        .map(({ serialNumber }) => serialNumber)
        .sort(),
    }
  }
  expect(await read()).toEqual({ found: [['total', 2]], unexplained: '6.00', open: ['ABOVE', 'BELOW'] })
  await decideOn(askOf('accept', ['ABOVE']))
  expect(await read()).toEqual({ found: [['total', 1]], unexplained: '6.00', open: ['BELOW'] })
  await states('ABOVE', '130.00')
  expect(await read()).toEqual({ found: [['total', 2]], unexplained: '7.00', open: ['ABOVE', 'BELOW'] })
})

test('counts invoices by where they stand, with the money in question, and none by days of expense', async () => {
  await decideOn(askOf('accept', ['ABOVE']))
  const count = (...reviews: ReviewChoice[]) => countInvoiceReview(organizationId, EVERYTHING, reviews)
  expect(await count('open')).toEqual([{ currency: 'EUR', invoiceCount: 1, stake: '4.00' }])
  expect(await count('accepted', 'settled')).toEqual([{ currency: 'EUR', invoiceCount: 1, stake: '10.00' }])
  const ofExpense = { ...EVERYTHING, from: '2026-01-01' as typeof EVERYTHING.from, dateField: 'expense' as const }
  expect(await countInvoiceReview(organizationId, ofExpense, ['open'])).toEqual([])
  await mark(new Date())
  await notePlainInvoices({ organizationId, connectionId })
  expect(await count('accepted', 'suspended')).toEqual([])
})

test('a decision about lines and one about invoices take their numbers from one row', async () => {
  await decideOn(askOf('accept', ['ABOVE']))
  const asked = { kind: 'accept' as const, set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~of RIGHT`] } }
  const seen = await previewDecision(organizationId, asked)
  const ended = await decide(organizationId, people[0], {
    asked,
    ...seen,
    reason: 'agreed',
    note: null,
    expectedBack: null,
  })
  expect(ended).toMatchObject({ kind: 'decided', number: '2' })
})

test('another organization’s invoices cannot be named', async () => {
  const asked = askOf('accept', ['ABOVE'])
  const stranger = await seedOrganization(database.query)
  const preview = await previewInvoices(stranger.organizationId, asked)
  expect(preview.lineCount).toBe(0)
})
