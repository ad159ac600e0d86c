/** What the hash of a set tells apart: everything that somebody would want to have seen. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { type Decider, decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { previewDecision } from './preview-decision.ts'

let database: TestDatabase
let organizationId: OrganizationId
let decider: Decider

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  decider = { actor: personOf(owner.userId), name: 'Ada Admin' }
  const connectionId = await seedConnection(database.query, owner)
  await seedLines(
    organizationId,
    connectionId,
    ['A', 'B', 'C'].map((id) => makeLine({ id })),
  )
})
afterAll(() => database.drop())

const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY } }
const readHash = async (of: Asked = asked) => (await previewDecision(organizationId, of)).hash
const changeB = (text: string) => `update line set ${text} where id = 'B'`

/** What happens, and what takes it back. */
const CHANGES: Record<string, [string, string]> = {
  'its record': [changeB(`content_hash = content_hash || 'x'`), changeB('content_hash = rtrim(content_hash, $$x$$)')],
  'its total': [changeB('total_amount = total_amount + 0.01'), changeB('total_amount = total_amount - 0.01')],
  'its findings': [changeB(`finding_codes = '{line_total}'`), changeB(`finding_codes = '{}'`)],
  'its reasons': [changeB(`explained_codes = '{line_total}'`), changeB(`explained_codes = '{}'`)],
  'its invoice': [
    changeB(`invoice_serial_number = invoice_serial_number || 'x'`),
    changeB('invoice_serial_number = rtrim(invoice_serial_number, $$x$$)'),
  ],
  'what stands beside it': [
    `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, other_line_id, other_invoice_serial_number, currency, amount)
     select organization_id, connection_id, id, 'duplicate_line', invoice_serial_number, 'A', invoice_serial_number, currency, total_amount from line where id = 'B'`,
    'delete from line_comparison',
  ],
}

test.each(Object.entries(CHANGES))(
  'the hash of a set is another one when a line changes in %s, and the same when it is back',
  async (_, [happen, takeBack]) => {
    const before = await readHash()
    await database.query(happen)
    expect(await readHash()).not.toBe(before)
    await database.query(takeBack)
    expect(await readHash()).toBe(before)
  },
)

test('the hash of a set is another one for another verb, for fewer lines, and once somebody has decided', async () => {
  const before = await readHash()
  const some: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, except: [] } }
  expect(await readHash(some)).toBe(before)
  expect(await readHash({ ...asked, kind: 'withdraw' })).not.toBe(before)
  const [{ key = '' } = {}] = await database.query<{ key: string }>(
    `select connection_id || '~' || id as key from line where id = 'C'`,
  )
  expect(await readHash({ kind: 'accept', set: { query: DEFAULT_LINE_QUERY, except: [key] } })).not.toBe(before)
  const wish = {
    asked,
    ...(await previewDecision(organizationId, asked)),
    reason: 'agreed',
    note: null,
    expectedBack: null,
  }
  expect((await decide(organizationId, decider, wish)).kind).toBe('decided')
  const decided = await readHash()
  expect(decided).not.toBe(before)
  // the same states by another decision are another set
  const undo: Asked = { kind: 'undo', decision: '1' }
  expect(
    (
      await decide(organizationId, decider, {
        ...wish,
        asked: undo,
        reason: null,
        ...(await previewDecision(organizationId, undo)),
      })
    ).kind,
  ).toBe('decided')
  expect(
    (await decide(organizationId, decider, { ...wish, ...(await previewDecision(organizationId, asked)) })).kind,
  ).toBe('decided')
  expect(await readHash()).not.toBe(decided)
})

test('an empty set has a hash, by which nothing is decided', async () => {
  const nobody: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, only: [] } }
  const preview = await previewDecision(organizationId, nobody)
  expect(preview.lineCount).toBe(0)
  const wish = { asked: nobody, ...preview, reason: 'agreed', note: null, expectedBack: null }
  expect((await decide(organizationId, decider, wish)).kind).toBe('nothing')
})
