import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { countBadAnswers, listBadAnswers } from './list-bad-answers.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId
const runs: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
  connectionId = await seedConnection(database.query, owner)
  const other = await seedConnection(database.query, owner, 'Other')
  for (const [connection, hoursAgo] of [
    [connectionId, 3],
    [connectionId, 2],
    [other, 1],
  ] as const) {
    const [run] = await database.query<{ id: string }>(
      `insert into sync_run (organization_id, connection_id, trigger, status, requested_at)
       values ($1, $2, 'manual', 'failed', now() - $3 * interval '1 hour') returning id`,
      [owner.organizationId, connection, hoursAgo],
    )
    runs.push(run?.id as string)
  }
  const keep = (run: number, connection: string, offset: number, hoursAgo: number) =>
    database.query(
      `insert into sync_evidence (organization_id, connection_id, run_id, list, page_offset, seen_at, kind, http_status, reason, beginning)
       values ($1, $2, $3, 'lines', $4, now() - $5 * interval '1 hour', 'bad_body', 200, 'HTML', '<script>')`,
      [owner.organizationId, connection, runs[run], offset, hoursAgo],
    )
  await keep(0, connectionId, 50, 3)
  await keep(0, connectionId, 100, 2.9)
  await keep(1, connectionId, 150, 2)
  await keep(2, other, 200, 1)
})
afterAll(() => database.drop())

test('lists the bad answers of the connection’s runs, newest first, each under its run', async () => {
  const answers = await listBadAnswers(owner.organizationId, connectionId, 10)
  expect(answers.map(({ runId, offset }) => [runId, offset])).toEqual([
    [runs[1], 150],
    [runs[0], 100],
    [runs[0], 50],
  ])
  expect(answers[0]).toMatchObject({ list: 'lines', kind: 'bad_body', httpStatus: 200, beginning: '<script>' })
  expect(await listBadAnswers(owner.organizationId, connectionId, 1)).toHaveLength(1)
})

test('counts them per run and leaves out runs without one', async () => {
  const quiet = '00000000-0000-4000-8000-000000000000'
  const counts = await countBadAnswers(owner.organizationId, [runs[0] as string, quiet])
  expect([...counts]).toEqual([[runs[0], 2]])
})

test('A8: another organization sees none of them', async () => {
  const stranger = await seedOrganization(database.query, 'Stranger')
  expect(await listBadAnswers(stranger.organizationId, connectionId, 10)).toEqual([])
  expect((await countBadAnswers(stranger.organizationId, runs)).size).toBe(0)
})
