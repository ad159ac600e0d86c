import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { REVIEW_CHOICES, type ReviewChoice, UNDECIDED } from '#lib/reconcile/review/review-state.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { MATRIX_QUERY } from '../query/matrix-query.ts'
import { getOverview } from '../read/get-overview.ts'
import { listLineRows, listLines } from '../read/list-lines.ts'
import { getMatrix } from '../read/matrix/get-matrix.ts'
import { day, decimal, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { type Decider, decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { previewDecision } from './preview-decision.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let decider: Decider

/** Each with a total that is off, but for the last, which ties out. */
const IDS = ['open', 'accepted', 'disputed', 'suspended', 'right']

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  decider = { actor: personOf(owner.userId), name: 'Ada Admin' }
  await seedLines(
    organizationId,
    connectionId,
    IDS.map((id) => lineOf(id, '140.00')),
  )
})
afterAll(() => database.drop())

const lineOf = (id: string, total: string) => makeLine({ id, totalAmount: decimal(id === 'right' ? '119.00' : total) })

async function decideOn(kind: 'accept' | 'dispute', id: string): Promise<void> {
  const asked: Asked = { kind, set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~${id}`] } }
  const seen = await previewDecision(organizationId, asked)
  const reason = kind === 'accept' ? 'agreed' : 'too_much'
  await decide(organizationId, decider, { asked, ...seen, reason, note: null, expectedBack: null })
}

async function listOf(reviews: ReviewChoice[]): Promise<string[]> {
  const rows = await listLineRows(organizationId, { ...DEFAULT_LINE_QUERY, reviews, pageSize: 50 })
  return rows.map(({ id }) => id).sort()
}

const countNeeds = async () => {
  const { findings } = await getOverview(organizationId, day('2026-01-01'))
  return findings.reduce((sum, { lineCount }) => sum + lineCount, 0)
}

test('what is decided is no longer named on the overview, and what has changed since is again', async () => {
  expect(await countNeeds()).toBe(4)
  await decideOn('accept', 'accepted')
  await decideOn('dispute', 'disputed')
  await decideOn('accept', 'suspended')
  expect(await countNeeds()).toBe(1)
  await seedLines(organizationId, connectionId, [lineOf('suspended', '150.00')])
  expect(await countNeeds()).toBe(2)
})

test('lines are filtered by any states of the review together as by each of them', async () => {
  const single = new Map<ReviewChoice, string[]>()
  for (const state of REVIEW_CHOICES) single.set(state, await listOf([state]))
  expect(Object.fromEntries(single)).toEqual({
    open: ['open'],
    accepted: ['accepted'],
    disputed: ['disputed'],
    settled: [],
    suspended: ['suspended'],
  })
  for (let picked = 1; picked < 2 ** REVIEW_CHOICES.length; picked += 1) {
    const states = REVIEW_CHOICES.filter((_, at) => picked & (1 << at))
    expect(await listOf(states), states.join()).toEqual(states.flatMap((state) => single.get(state) ?? []).sort())
  }
})

test('a matrix counts the lines that wait for somebody, each cell as its lines are listed', async () => {
  const asked = { ...MATRIX_QUERY.empty, by: ['invoice' as const], across: 'vertical' as const }
  const matrix = (reviews: ReviewChoice[] = []) =>
    getMatrix(organizationId, { ...asked, measure: 'undecided', reviews, foldsNames: false })
  const waiting = { ...DEFAULT_LINE_QUERY, findingsOnly: true, reviews: [...UNDECIDED] }
  const { totals } = await listLines(organizationId, waiting)
  expect(totals[0]?.lineCount).toBeGreaterThan(0)
  const { rows, all } = await matrix()
  expect(all.total).toBe(String(totals[0]?.lineCount))
  expect(rows.map(({ total }) => total)).toEqual([String(totals[0]?.lineCount)])
  // filters stay: what is decided is none that waits
  expect((await matrix(['accepted'])).rows).toEqual([])
  expect((await matrix(['suspended'])).all.total).toBe(String((await listOf(['suspended'])).length))
})
