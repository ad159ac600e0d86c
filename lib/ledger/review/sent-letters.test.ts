import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type Day, dayOf } from '#lib/reconcile/day.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { listLines } from '../read/list-lines.ts'
import { decimal, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { type Decider, decide } from './decide.ts'
import { getLetter } from './get-letter.ts'
import type { Asked } from './line-set.ts'
import { listAnswers } from './list-answers.ts'
import { getLineReview } from './list-decisions.ts'
import { previewDecision } from './preview-decision.ts'
import { markSent, withdrawSent } from './sent-letters.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let ada: Decider
let ben: Decider

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  ada = { actor: personOf(owner.userId), name: 'Ada' }
  ben = { actor: personOf(owner.userId), name: 'Ben' }
  await seedLines(
    organizationId,
    connectionId,
    ['A', 'B'].map((id) => makeLine({ id, totalAmount: decimal('160.30') })),
  )
})

async function decideNow(kind: 'dispute' | 'withdraw', ...ids: string[]) {
  const asked: Asked = {
    kind,
    set: { query: DEFAULT_LINE_QUERY, only: ids.map((id) => `${connectionId}~${id}`) },
  }
  const seen = await previewDecision(organizationId, asked)
  const reason = kind === 'dispute' ? 'too_much' : null
  const made = await decide(organizationId, ada, { asked, ...seen, reason, note: null, expectedBack: null })
  expect(made.kind).toBe('decided')
}

const daysAgo = (days: number) => dayOf(Date.now() - days * 24 * 3600 * 1000)
const letterOf = async (line: string | null = null) => {
  const [row] = await database.query<{ invoice: string }>(
    'select invoice_serial_number as invoice from line where organization_id = $1 limit 1',
    [organizationId],
  )
  const invoice = row?.invoice ?? ''
  const letter = await getLetter(
    organizationId,
    { connection: connectionId, invoice, line },
    { name: 'Ada', organization: 'Acme' },
  )
  return { invoice, letter }
}
async function mark(by: Decider, sentOn: Day, recipient: string, line: string | null = null) {
  const { invoice, letter } = await letterOf(line)
  return markSent(organizationId, by, {
    connectionId,
    invoiceSerialNumber: invoice,
    disputes: letter?.disputes ?? [],
    sentOn,
    recipient,
  })
}
const lettersOf = async (id: string) => (await getLineReview(organizationId, connectionId, id))?.letters ?? []
const columns = ['disputed', 'letter'].map((name) => ({ name: name as 'letter', isPinned: false, width: null }))
const listed = async () =>
  Object.fromEntries(
    (await listLines(organizationId, { ...DEFAULT_LINE_QUERY, columns })).rows.map(({ id, dispute }) => [id, dispute]),
  )

test('a letter is about exactly the disputes that it names: their list, panel and answers tell it from the dispute', async () => {
  await decideNow('dispute', 'A', 'B')
  expect(await listed()).toMatchObject({ A: { daysWaiting: 0, letter: null }, B: { letter: null } })
  expect(await mark(ada, daysAgo(3), 'billing@platform.example', 'A')).not.toBeNull()
  expect(await lettersOf('A')).toMatchObject([
    { daysAgo: 3, name: 'Ada', recipient: 'billing@platform.example', lineCount: 1, withdrawnBy: null },
  ])
  expect(await lettersOf('B')).toEqual([])
  expect(await listed()).toMatchObject({
    A: { daysWaiting: 0, letter: { daysAgo: 3, name: 'Ada' } },
    B: { daysWaiting: 0, letter: null },
  })
  const answers = await listAnswers(organizationId)
  expect(answers.map(({ dispute }) => [dispute.lineId, dispute.letter])).toEqual([
    ['A', { daysAgo: 3, name: 'Ada' }],
    ['B', null],
  ])
  // the next letter of the account goes to the same, unless somebody says otherwise
  expect((await letterOf()).letter?.recipient).toBe('billing@platform.example')
  expect(await mark(ben, daysAgo(1), 'the portal')).not.toBeNull()
  expect((await lettersOf('A')).map(({ name, lineCount }) => [name, lineCount])).toEqual([
    ['Ben', 2],
    ['Ada', 1],
  ])
  expect((await listed()).B).toMatchObject({ letter: { daysAgo: 1, name: 'Ben' } })
})

test('a letter that was not sent is taken back once, stays with who said so, and counts no more', async () => {
  await decideNow('dispute', 'A')
  const first = await mark(ada, daysAgo(5), 'first')
  const second = await mark(ada, daysAgo(2), 'second')
  expect(await withdrawSent(organizationId, ben, second as string)).toBe(true)
  expect(await withdrawSent(organizationId, ada, second as string)).toBe(false)
  expect((await listed()).A).toMatchObject({ letter: { daysAgo: 5 } })
  expect((await lettersOf('A')).map(({ id, withdrawnBy }) => [id, withdrawnBy])).toEqual([
    [first, null],
    [second, 'Ben'],
  ])
  const stranger = await seedOrganization(database.query)
  expect(await withdrawSent(stranger.organizationId, ada, first as string)).toBe(false)
})

test('a line that is disputed anew has had no letter; nothing is marked of what is no longer disputed', async () => {
  await decideNow('dispute', 'A', 'B')
  expect(await mark(ada, daysAgo(3), 'billing')).not.toBeNull()
  const { invoice, letter } = await letterOf()
  await decideNow('withdraw', 'A')
  const stale = { connectionId, invoiceSerialNumber: invoice, disputes: letter?.disputes ?? [], sentOn: daysAgo(0) }
  expect(await markSent(organizationId, ada, { ...stale, recipient: 'late' })).toBeNull()
  expect(await lettersOf('A')).toEqual([])
  await decideNow('dispute', 'A')
  expect(await lettersOf('A')).toEqual([])
  expect(await markSent(organizationId, ada, { ...stale, recipient: 'late' })).toBeNull()
  expect(await lettersOf('B')).toHaveLength(1)
  // nor of another invoice's
  const current = (await letterOf('B')).letter?.disputes ?? []
  const other = { ...stale, disputes: current, invoiceSerialNumber: 'another' }
  expect(await markSent(organizationId, ada, { ...other, recipient: 'x' })).toBeNull()
})

test('the process that marks letters cannot change what was said of one, nor delete it', async () => {
  const allowed = await database.query<{ column: string }>(
    `select column_name as column from information_schema.column_privileges
     where table_name like 'dispute_letter%' and privilege_type = 'UPDATE' and grantee like '%web%' order by 1`,
  )
  expect([...new Set(allowed.map(({ column }) => column))]).toEqual([
    'withdrawn_at',
    'withdrawn_by',
    'withdrawn_by_name',
  ])
})
