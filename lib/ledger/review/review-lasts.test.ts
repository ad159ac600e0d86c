/** What a decision outlives: its people, its account’s data, another account of the same ids. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { eraseBatch } from '#lib/connections/life/disconnect-erase.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decimal, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { getLineReview, listDecisions } from './list-decisions.ts'
import { previewDecision } from './preview-decision.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  owner = await seedOrganization(database.query)
  connectionId = await seedConnection(database.query, owner)
  await seedLines(owner.organizationId, connectionId, [line()])
  const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~L`] } }
  await decide(
    owner.organizationId,
    { actor: personOf(owner.userId), name: 'Ada Admin' },
    {
      asked,
      ...(await previewDecision(owner.organizationId, asked)),
      reason: 'agreed',
      note: null,
      expectedBack: null,
    },
  )
})

const line = () => makeLine({ id: 'L', totalAmount: decimal('140.00') })

async function erase() {
  const [wish] = await database.query<{ id: string }>(
    `insert into disconnection (organization_id, connection_id, data_choice, requested_by) values ($1, $2, 'delete', $3) returning id`,
    [owner.organizationId, connectionId, owner.userId],
  )
  const claimed = { organizationId: owner.organizationId, connectionId, id: wish?.id ?? '', fence: '0' } as const
  while (await eraseBatch({ ...claimed, dataChoice: 'delete', outcome: null, attempts: 0 }, 60)) {
    // as the worker does, until nothing is left
  }
}

test('review 6: what was decided stays with its sums, its set and its hashes when the account’s data is deleted', async () => {
  await erase()
  expect(await database.query('select from line where organization_id = $1', [owner.organizationId])).toEqual([])
  const [decision] = await listDecisions(owner.organizationId)
  expect(decision).toMatchObject({ number: '1', kind: 'accept', lineCount: 1, standing: 0, name: 'Ada Admin' })
  expect(decision?.totals).toMatchObject([{ currency: 'EUR', lineCount: 1, totalAmount: '140.00' }])
  const parts = await database.query(
    `select line_ids, octet_length(seen_hashes[1]) as bytes, length(set_hash) as digits
     from decision_part p join decision d on d.organization_id = p.organization_id and d.number = p.decision
     where p.organization_id = $1`,
    [owner.organizationId],
  )
  expect(parts).toEqual([{ line_ids: ['L'], bytes: 32, digits: 64 }])
})

test('review 7: the same line is open in another account, and in its own when it arrives anew', async () => {
  const other = await seedConnection(database.query, owner)
  await seedLines(owner.organizationId, other, [line()])
  expect(await getLineReview(owner.organizationId, other, 'L')).toMatchObject({ state: 'open', events: [] })
  expect(await getLineReview(owner.organizationId, connectionId, 'L')).toMatchObject({ state: 'accepted' })
  await erase()
  await seedLines(owner.organizationId, connectionId, [line()])
  expect(await getLineReview(owner.organizationId, connectionId, 'L')).toMatchObject({ state: 'open' })
})

test('review 9: a decision keeps the name of who made it, whatever becomes of that person', async () => {
  await database.query(`update app_user set name = 'Somebody else', disabled_at = now() where id = $1`, [owner.userId])
  expect(await listDecisions(owner.organizationId)).toMatchObject([{ name: 'Ada Admin' }])
})
