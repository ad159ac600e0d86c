import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { getConnection } from '#lib/connections/life/list-connections.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { decideLoss } from './decide-loss.ts'
import { listDecidedLosses } from './list-losses.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
  connectionId = await seedConnection(database.query, owner)
})
afterAll(() => database.drop())

async function holdLoss(missing: number): Promise<string> {
  const [run] = await database.query<{ id: string }>(
    `insert into sync_run (organization_id, connection_id, trigger, status, started_at) values ($1, $2, 'manual', 'held', now()) returning id`,
    [owner.organizationId, connectionId],
  )
  await database.query(
    `insert into sync_loss (organization_id, run_id, connection_id, line_count, missing_lines, invoice_count, missing_invoices, totals)
     values ($1, $2, $3, 1000, $4, 20, 3, '[{"currency":"EUR","lineCount":150,"totalAmount":"10.05"}]')`,
    [owner.organizationId, run?.id, connectionId, missing],
  )
  return run?.id as string
}

test('an open loss stays with its connection; a decided one shows under its run who decided and how', async () => {
  const runId = await holdLoss(150)
  expect(await listDecidedLosses(owner.organizationId, [runId])).toEqual([])
  const open = await getConnection(owner.organizationId, connectionId)
  expect(open?.openLoss).toEqual({ missingLines: 150, missingInvoices: 3 })
  await decideLoss(owner.organizationId, connectionId, runId, { decision: 'rejected', actor: personOf(owner.userId) })
  expect((await getConnection(owner.organizationId, connectionId))?.openLoss).toBeNull()
  expect(await listDecidedLosses(owner.organizationId, [runId])).toMatchObject([
    {
      runId,
      decision: 'rejected',
      decidedBy: 'Ada Admin',
      missingLines: 150,
      linesMarked: 0,
      invoicesMarked: 0,
      totals: [{ currency: 'EUR', lineCount: 150, totalAmount: '10.05' }],
    },
  ])
  const events = await database.query('select kind, actor_name, detail from connection_event order by number desc')
  expect(events[0]).toEqual({ kind: 'loss_kept', actor_name: 'Ada Admin', detail: '0 0' })
})

test('nobody decided a loss that a later reading made void', async () => {
  const runId = await holdLoss(160)
  await database.query(`update sync_loss set decision = 'superseded', decided_at = now() where run_id = $1`, [runId])
  expect(await listDecidedLosses(owner.organizationId, [runId])).toEqual([])
})
