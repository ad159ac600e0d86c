import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { BUILT_IN_REASONS, type ReasonChange } from '#lib/reconcile/review/reasons.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decimal, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { type Decider, decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { getLineReview, listDecisions } from './list-decisions.ts'
import { previewDecision } from './preview-decision.ts'
import { changeReasonList, getReasonList } from './reason-list.ts'

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
  await seedLines(
    organizationId,
    connectionId,
    ['A', 'B', 'C'].map((id) => makeLine({ id, totalAmount: decimal('140.00') })),
  )
})

const asked = (kind: 'accept' | 'dispute', ...ids: string[]): Asked => ({
  kind,
  set: { query: DEFAULT_LINE_QUERY, only: ids.map((id) => `${connectionId}~${id}`) },
})
async function decideNow(wanted: Asked, reason: string | null) {
  const seen = await previewDecision(organizationId, wanted)
  return decide(organizationId, decider, { asked: wanted, ...seen, reason, note: null, expectedBack: null })
}
async function change(...changes: ReasonChange[]) {
  for (const each of changes) {
    const { revision } = await getReasonList(organizationId)
    expect(await changeReasonList(organizationId, decider.actor, revision, each)).toEqual({
      kind: 'done',
      revision: revision + 1,
    })
  }
}
/** Resolves when some transaction of this database waits for another one's lock. */
async function untilSomebodyWaits(): Promise<void> {
  while (!(await isWaiting(database))) await new Promise((resolve) => setImmediate(resolve))
}
const reasonOf = async (number: string) =>
  (await listDecisions(organizationId)).find((decision) => decision.number === number)?.reasonWords
const offered = async (kind: 'accept' | 'dispute') =>
  (await previewDecision(organizationId, asked(kind, 'A'))).choices.map(({ words }) => words)

test('an organization begins with the built-in reasons, and a preview offers its own in its order', async () => {
  expect(await getReasonList(organizationId)).toEqual({ revision: 0, reasons: BUILT_IN_REASONS })
  await change(
    { change: 'add', kind: 'dispute', words: 'Rebate is missing' },
    { change: 'up', kind: 'dispute', code: 'own_rebate_is_missing' },
    { change: 'retire', kind: 'dispute', code: 'twice' },
    { change: 'rename', kind: 'accept', code: 'elsewhere', words: 'Handled in SAP' },
  )
  expect(await offered('dispute')).toEqual([
    'More than was agreed',
    'Wrong tax',
    'Not booked by us',
    'Rebate is missing',
    'Another reason',
  ])
  // nothing explains the line: as explained is not offered
  expect(await offered('accept')).toEqual([
    'Agreed with the platform',
    'Too small to follow up',
    'Handled in SAP',
    'Another reason',
  ])
})

test('a decision keeps the words that its reason had, whatever becomes of the reason', async () => {
  await change({ change: 'add', kind: 'accept', words: 'Within the contract' })
  const code = 'own_within_the_contract'
  expect((await decideNow(asked('accept', 'A'), code)).kind).toBe('decided')
  await change({ change: 'rename', kind: 'accept', code, words: 'Within the frame contract' })
  expect((await decideNow(asked('accept', 'B'), code)).kind).toBe('decided')
  await change({ change: 'retire', kind: 'accept', code })
  expect(await reasonOf('1')).toBe('Within the contract')
  expect(await reasonOf('2')).toBe('Within the frame contract')
  const review = await getLineReview(organizationId, connectionId, 'A')
  expect(review?.events).toMatchObject([{ reason: code, reasonWords: 'Within the contract' }])
})

test('a retired reason and one of another verb or organization decide nothing; what is brought back does', async () => {
  await change({ change: 'add', kind: 'dispute', words: 'Own' }, { change: 'retire', kind: 'dispute', code: 'own_own' })
  expect((await decideNow(asked('dispute', 'A'), 'own_own')).kind).toBe('retired-reason')
  expect((await decideNow(asked('dispute', 'A'), 'agreed')).kind).toBe('no-reason')
  expect((await decideNow(asked('dispute', 'A'), 'own_other')).kind).toBe('no-reason')
  expect(await listDecisions(organizationId)).toEqual([])
  await change({ change: 'restore', kind: 'dispute', code: 'own_own' })
  expect((await decideNow(asked('dispute', 'A'), 'own_own')).kind).toBe('decided')
  const other = await seedOrganization(database.query)
  expect((await getReasonList(other.organizationId)).revision).toBe(0)
})

test('of two changes of the list that both have seen one is made, also when they come at once', async () => {
  const { actor } = decider
  const { revision } = await getReasonList(organizationId)
  const ended = await Promise.all(
    ['One', 'Two', 'Three'].map((words) =>
      changeReasonList(organizationId, actor, revision, { change: 'add', kind: 'accept', words }),
    ),
  )
  expect(ended.map(({ kind }) => kind).sort()).toEqual(['changed', 'changed', 'done'])
  const again = await Promise.all(
    ['Four', 'Five'].map((words) =>
      changeReasonList(organizationId, actor, revision + 1, { change: 'add', kind: 'accept', words }),
    ),
  )
  expect(again.map(({ kind }) => kind).sort()).toEqual(['changed', 'done'])
  const list = await getReasonList(organizationId)
  expect(list.reasons).toHaveLength(BUILT_IN_REASONS.length + 2)
  expect(await changeReasonList(organizationId, actor, 0, { change: 'retire', kind: 'accept', code: 'other' })).toEqual(
    {
      kind: 'changed',
    },
  )
})

test('who changes the list while another change is not committed yet waits for it, and writes nothing over it', async () => {
  const theirs = BUILT_IN_REASONS.map((reason) => ({ ...reason, words: `${reason.words}!` }))
  let second: ReturnType<typeof changeReasonList> | undefined
  await withTenantSql(organizationId, async (sql) => {
    await sql('insert into reason_list (organization_id, revision, reasons) values ($1, 1, $2::jsonb)', [
      organizationId,
      JSON.stringify(theirs),
    ])
    second = changeReasonList(organizationId, decider.actor, 0, { change: 'add', kind: 'accept', words: 'Second' })
    await untilSomebodyWaits()
  })
  expect(await second).toEqual({ kind: 'changed' })
  expect(await getReasonList(organizationId)).toEqual({ revision: 1, reasons: theirs })
})

test('a decision says of which list it was made, and which lines were picked or left out', async () => {
  const query = { ...DEFAULT_LINE_QUERY, currencies: ['EUR'] }
  const keys = ['A', 'B'].map((id) => `${connectionId}~${id}`)
  expect((await decideNow({ kind: 'accept', set: { query, only: keys } }, 'agreed')).kind).toBe('decided')
  expect((await decideNow({ kind: 'dispute', set: { query, except: keys } }, 'other')).kind).toBe('decided')
  expect((await decideNow({ kind: 'dispute', set: { query } }, 'other')).kind).toBe('decided')
  expect((await decideNow({ kind: 'undo', decision: '3' }, null)).kind).toBe('decided')
  const decisions = await listDecisions(organizationId)
  expect(decisions.map(({ question, pick, pickedCount }) => [question, pick, pickedCount])).toEqual([
    ['', null, null],
    ['currency=EUR', 'all', null],
    ['currency=EUR', 'except', 2],
    ['currency=EUR', 'only', 2],
  ])
  const stored = await database.query<{ picked: string[] }>(
    'select picked from decision where organization_id = $1 and number = 1',
    [organizationId],
  )
  expect(stored).toEqual([{ picked: keys }])
  await expect(
    database.query(`update decision set picked = '{}' where organization_id = $1 and number = 1 returning 1 as one`, [
      organizationId,
    ]),
  ).rejects.toThrow('append-only')
})
