import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { writeLetter } from '#lib/reconcile/dispute/letter.ts'
import type { LineRecord } from '#lib/reconcile/records.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decimal, makeLine, makeLineOf, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { type Decider, decide } from './decide.ts'
import { getLetter } from './get-letter.ts'
import type { Asked } from './line-set.ts'
import { listAnswers } from './list-answers.ts'
import { previewDecision } from './preview-decision.ts'
import { settleDispute } from './settle-dispute.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let decider: Decider

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  decider = { actor: personOf(owner.userId), name: 'Ada Admin' }
})

async function decideNow(asked: Asked, reason: string | null = null) {
  const seen = await previewDecision(organizationId, asked)
  return decide(organizationId, decider, { asked, ...seen, reason, note: null, expectedBack: null })
}

const keyOf = (id: string) => `${connectionId}~${id}`
const setOf = (id: string) => ({ query: DEFAULT_LINE_QUERY, only: [keyOf(id)] })
const TOO_MUCH: Partial<LineRecord> = { totalAmount: decimal('160.30'), tripId: '77', tripName: 'Oslo' }

/** A line that is 41.30 too much, disputed five days ago. */
async function dispute(id: string, change: Partial<LineRecord> = {}): Promise<void> {
  await seedLines(organizationId, connectionId, [makeLine({ ...TOO_MUCH, id, ...change })])
  expect((await decideNow({ kind: 'dispute', set: setOf(id) }, 'too_much')).kind).toBe('decided')
  await database.query(`alter table decision disable trigger user`)
  await database.query(
    `update decision set decided_at = now() - interval '5 days' where organization_id = $1 returning 1 as one`,
    [organizationId],
  )
  await database.query(`alter table decision enable trigger user`)
}

const credit = (id: string, amount: string, change: Partial<LineRecord> = {}) =>
  seedLines(organizationId, connectionId, [
    makeLineOf(amount, { id, invoiceSerialNumber: `CR-${id}`, tripId: '77', tripName: 'Oslo', ...change }),
  ])

const stateOf = async (id: string) =>
  (
    await database.query<{ state: string }>(
      'select state from line_review where organization_id = $1 and line_id = $2',
      [organizationId, id],
    )
  )[0]?.state
const answersOf = async () =>
  (await listAnswers(organizationId)).map(({ dispute: { lineId }, answer }) => `${lineId} ${answer?.kind ?? 'none'}`)
const settle = (id: string, ...candidates: string[]) =>
  settleDispute(organizationId, decider, {
    disputeId: keyOf(id),
    candidateIds: candidates.map(keyOf),
    note: null,
  })

test('a later credit that answers a dispute exactly is proposed, settles it on a person’s word, and answers no other', async () => {
  await dispute('D1')
  expect(await answersOf()).toEqual(['D1 none'])
  await credit('C1', '-41.30')
  expect(await answersOf()).toEqual(['D1 exact'])
  expect(await settle('D1', 'C1')).toMatchObject({ kind: 'decided', changedLines: 1 })
  expect(await stateOf('D1')).toBe('settled')
  await dispute('D2')
  expect(await answersOf()).toEqual(['D2 none'])
  expect((await settle('D2', 'C1')).kind).toBe('nothing')
  expect(await stateOf('D2')).toBe('disputed')
})

test('what is not proposed settles nothing: another amount, another account, other lines than the proposal', async () => {
  await dispute('D1')
  await credit('C1', '-20.00')
  await credit('C2', '-21.30')
  await credit('C3', '-9.99')
  expect(await answersOf()).toEqual(['D1 sum'])
  expect((await settle('D1', 'C1')).kind).toBe('nothing')
  expect((await settle('D1', 'C1', 'C2', 'C3')).kind).toBe('nothing')
  expect(await stateOf('D1')).toBe('disputed')
  expect((await settle('D1', 'C2', 'C1')).kind).toBe('decided')
})

test('a settled dispute that is taken back is disputed again, and its credit is free again', async () => {
  await dispute('D1')
  await credit('C1', '-41.30')
  const settled = await settle('D1', 'C1')
  if (settled.kind !== 'decided') throw new Error(settled.kind)
  expect((await decideNow({ kind: 'undo', decision: settled.number })).kind).toBe('decided')
  expect(await stateOf('D1')).toBe('disputed')
  expect(await answersOf()).toEqual(['D1 exact'])
})

test('of two disputes that one credit may answer, none is settled unseen, and of two at once only one by it', async () => {
  await dispute('D1')
  await dispute('D2')
  await credit('C1', '-41.30')
  expect(await answersOf()).toEqual(['D1 tie', 'D2 tie'])
  const ended = await Promise.all([settle('D1', 'C1'), settle('D2', 'C1')])
  expect(ended.filter(({ kind }) => kind === 'decided')).toHaveLength(1)
  expect([await stateOf('D1'), await stateOf('D2')].sort()).toEqual(['disputed', 'settled'])
})

test('a credit that answers a dispute by now is refused even where it was proposed before', async () => {
  await dispute('D1')
  await dispute('D2')
  await credit('C1', '-41.30')
  const [, other] = await listAnswers(organizationId)
  if (other?.answer?.kind !== 'tie') throw new Error('no tie')
  expect((await settle('D1', 'C1')).kind).toBe('decided')
  const asked: Asked = { kind: 'settle', set: setOf('D2') }
  const seen = await previewDecision(organizationId, asked)
  const [answer] = other.answer.alternatives
  if (answer === undefined) throw new Error('no alternative')
  const wish = { asked, ...seen, reason: null, note: null, expectedBack: null, answer }
  expect(await decide(organizationId, decider, wish)).toEqual({ kind: 'answer-used' })
})

test('a correction of the disputed line itself answers it', async () => {
  await dispute('D1')
  await seedLines(organizationId, connectionId, [makeLine({ ...TOO_MUCH, id: 'D1', totalAmount: decimal('119.00') })])
  expect(await stateOf('D1')).toBe('suspended')
  const [found] = await listAnswers(organizationId)
  expect(found?.answer).toMatchObject({ kind: 'exact', fit: { terms: [{ kind: 'correction', amount: '41.30' }] } })
})

test('a letter names what is disputed of an invoice, exactly, with the number of the decision', async () => {
  await dispute('D1')
  const person = { name: 'Katharina Vogt', organization: 'Nordlicht GmbH' }
  const letter = await getLetter(
    organizationId,
    { connection: connectionId, invoice: 'INV-01-0001', line: 'D1' },
    person,
  )
  if (letter === null) throw new Error('no letter')
  const { subject, text } = writeLetter(letter, 'en')
  expect(subject).toContain('41.30 EUR')
  expect(text).toContain('160.30')
  expect(text).toContain('D-1')
  const none = { connection: connectionId, invoice: 'INV-01-0001', line: 'D9' }
  expect(await getLetter(organizationId, none, person)).toBeNull()
})
