/** What the list of decisions says of their lines, from a real database. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderPart } from '#components/query/test-support/test-render.ts'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { decide } from '#lib/ledger/review/decide.ts'
import type { Asked } from '#lib/ledger/review/line-set.ts'
import { listDecisions } from '#lib/ledger/review/list-decisions.ts'
import { previewDecision } from '#lib/ledger/review/preview-decision.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { DecisionList } from './decision-list.tsx'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('the list of decisions counts up to 10,000 lines that stand by one, and says so where there are more', async () => {
  const { organizationId, userId } = await seedOrganization(database.query)
  const connectionId = await seedConnection(database.query, { organizationId, userId })
  await seedLines(organizationId, connectionId, [makeLine({ id: 'L' })])
  const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~L`] } }
  await decide(
    organizationId,
    { actor: personOf(userId), name: 'Ada Admin' },
    { asked, ...(await previewDecision(organizationId, asked)), reason: 'agreed', note: null, expectedBack: null },
  )
  const standBy = (count: number) =>
    database.query(
      `insert into line_review (organization_id, connection_id, line_id, state, decision, seen_hash, currency, amount)
       select organization_id, connection_id, line_id || '-' || $2 || '-' || n, state, decision, seen_hash, currency, amount
       from line_review, generate_series(1, $2::int) n where organization_id = $1 and line_id = 'L'`,
      [organizationId, count],
    )
  const toText = async () =>
    renderPart(<DecisionList decisions={await listDecisions(organizationId)} mayDecide={false} isFirst />)
  expect(await toText()).toContain('>1 stands<')
  await standBy(9_999)
  expect(await toText()).toContain('>10,000 stand<')
  await standBy(1)
  expect(await toText()).toContain('>over 10,000 stand<')
})
