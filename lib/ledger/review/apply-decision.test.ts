/** What applying a decision looks at, while the planner knows nothing of it yet. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { applyBatch, applyDecisions, MOST_AT_ONCE } from './apply-decision.ts'
import { type Decider, decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { previewDecision } from './preview-decision.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let decider: Decider
const LINES = MOST_AT_ONCE + 100

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  decider = { actor: personOf(owner.userId), name: 'Ada Admin' }
  connectionId = await seedConnection(database.query, owner)
  await addLines('B', LINES)
})
afterAll(() => database.drop())

function addLines(name: string, count: number): Promise<unknown> {
  const lines = Array.from({ length: count }, (_, at) =>
    makeLine({ id: `${name}${at}`, invoiceSerialNumber: `${name}-${Math.floor(at / 50)}` }),
  )
  return seedLines(organizationId, connectionId, lines)
}

async function begin(asked: Asked): Promise<string> {
  const wish = { asked, ...(await previewDecision(organizationId, asked)), note: null, expectedBack: null }
  const ended = await decide(organizationId, decider, { ...wish, reason: asked.kind === 'undo' ? null : 'agreed' })
  if (ended.kind !== 'decided') throw new Error(ended.kind)
  return ended.number
}

/** Applies what is left, and says of how many lines and how many rows of states it looked at. */
function applyRest(number: string): Promise<{ applied: number; read: number }> {
  return withTenantSql(organizationId, async (sql) => {
    const before = await countReads(sql)
    let applied = 0
    for (let at = 0; at < 2; at++) applied += await applyBatch(sql, organizationId, number)
    return { applied, read: (await countReads(sql)) - before }
  })
}

/** How many rows of states this connection has looked at. */
async function countReads(sql: Sql): Promise<number> {
  const [row] = await sql<{ rows: number }>(
    `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'line_review'`,
  )
  return row?.rows ?? 0
}

test('a large decision that was just made is taken back by looking each line up, not through all for each', async () => {
  const accepted = await begin({ kind: 'accept', set: { query: DEFAULT_LINE_QUERY } })
  // as in the minute after: statistics are of a time when nothing was decided
  await database.query('analyze line_review')
  expect((await applyRest(accepted)).applied).toBe(LINES)
  const { applied, read } = await applyRest(await begin({ kind: 'undo', decision: accepted }))
  expect(applied).toBe(LINES)
  expect(read).toBeLessThanOrEqual(10 * LINES)
})

test('statistics know a large decision when it is applied, and again when it is taken back', async () => {
  const known = async () =>
    (await database.query(`select reltuples::int from pg_class where relname = 'line_review'`))[0]
  await addLines('S', 3000)
  const accepted = await begin({ kind: 'accept', set: { query: DEFAULT_LINE_QUERY } })
  await applyDecisions(new AbortController().signal)
  expect(await known()).toEqual({ reltuples: LINES + 3000 })
  await begin({ kind: 'undo', decision: accepted })
  await applyDecisions(new AbortController().signal)
  expect(await known()).toEqual({ reltuples: 0 })
})
