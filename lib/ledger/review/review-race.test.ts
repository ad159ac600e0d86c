/** A change of lines and a decision about them, each while the other is not committed yet. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { decimal, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { applyBatch, MOST_AT_ONCE } from './apply-decision.ts'
import { type Decider, decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { previewDecision } from './preview-decision.ts'
import { REVIEW_OF_LINE, toFoundBeside, toSeenHash } from './review-columns.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let decider: Decider
const LINES = Array.from({ length: MOST_AT_ONCE + 1 }, (_, at) =>
  makeLine({ id: `R${at}`, invoiceSerialNumber: `RACE-${String(Math.floor(at / 100)).padStart(3, '0')}` }),
)

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  decider = { actor: personOf(owner.userId), name: 'Ada Admin' }
  await seedLines(organizationId, connectionId, LINES)
})
afterAll(() => database.drop())

/** Accepts all lines; more than are applied at once, so that none stands yet. */
async function acceptAll(): Promise<string> {
  const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY } }
  const seen = await previewDecision(organizationId, asked)
  const ended = await decide(organizationId, decider, {
    asked,
    ...seen,
    reason: 'agreed',
    note: null,
    expectedBack: null,
  })
  if (ended.kind !== 'decided') throw new Error(ended.kind)
  return ended.number
}

/** Other figures of the same sum: no roll-up changes, and so takes no lock for them. */
const change = (quantity: string, unitPrice: string) =>
  seedLines(
    organizationId,
    connectionId,
    ['R0', 'R1', 'R2'].map((id) =>
      makeLine({
        id,
        invoiceSerialNumber: 'RACE-000',
        quantity: decimal(quantity),
        unitPrice: decimal(unitPrice),
      }),
    ),
  )

/** Resolves when some transaction of this database waits for another one's lock. */
async function untilSomebodyWaits(): Promise<void> {
  while (!(await isWaiting(database))) await new Promise((resolve) => setImmediate(resolve))
}

/** Lines that stand as decided although they are not what was seen, or the other way round. */
const listWrong = () =>
  database.query(
    `select l.id, v.state from line l join ${REVIEW_OF_LINE}
     where l.organization_id = $1 and (v.state = 'suspended') <> (v.seen_hash <> ${toSeenHash('l', toFoundBeside('l', '$1'))})`,
    [organizationId],
  )
const stateOf = async (id: string) =>
  (await database.query<{ state: string }>('select state from line_review where line_id = $1', [id]))[0]?.state

test('a decision waits for a change that is not committed yet, and leaves out what it changed', async () => {
  const number = await acceptAll()
  let applied: Promise<number> | null = null
  await withTenantSql(organizationId, async (sql) => {
    await sql(
      `update line set quantity = 2, unit_price = 50, content_hash = md5(content_hash)
       where organization_id = $1 and id in ('R0', 'R1', 'R2')`,
      [organizationId],
    )
    applied = withTenantSql(organizationId, (own) => applyBatch(own, organizationId, number))
    await Promise.race([applied, untilSomebodyWaits()])
  })
  await applied
  expect(await listWrong()).toEqual([])
  expect(await stateOf('R0')).toBeUndefined()
  expect(await stateOf('R3')).toBe('accepted')
})

test('a change waits for a decision that is not committed yet, and suspends what it changed', async () => {
  await database.query('delete from line_review returning 1 as one')
  const number = await acceptAll()
  let changed: Promise<unknown> | null = null
  await withTenantSql(organizationId, async (sql) => {
    await applyBatch(sql, organizationId, number)
    changed = change('4', '25.00')
    await Promise.race([changed, untilSomebodyWaits()])
  })
  await changed
  expect(await listWrong()).toEqual([])
  expect(await stateOf('R0')).toBe('suspended')
  expect(await stateOf('R3')).toBe('accepted')
})
