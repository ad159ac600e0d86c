/** Debian's pgbouncer with transaction pooling, as docs/deploy/pgbouncer.ini sets it up. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyChain } from '#lib/audit/chain.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { settings } from '#lib/env.ts'
import { CSV_FILES } from '#lib/export/stream-csv.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { listenForWishes } from '#lib/worker/wake-listener.ts'
import { hasPooler, type OwnPooler, startOwnPooler } from '#lib/world/own-pooler.ts'
import { endPool, switchPool } from './pool.ts'
import { withSystemSql, withTenant, withTenantSql } from './tenant.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'
import { wakeWorkers } from './work/wake.ts'

describe.skipIf(!hasPooler)('behind pgbouncer', () => {
  let database: TestDatabase
  let pooler: OwnPooler
  let owner: { organizationId: OrganizationId; userId: UserId }
  let connectionId: ConnectionId
  const folder = mkdtempSync(join(tmpdir(), 'tieout-pooler-'))

  beforeAll(async () => {
    database = await createTestDatabase()
    owner = await seedOrganization(database.query)
    connectionId = await seedConnection(database.query, owner)
    pooler = await startOwnPooler(folder, [database.urls.web, database.urls.worker])
    settings().databaseDirectUrl = database.urls.worker
    await switchPool(pooler.through(database.urls.worker))
  })
  afterAll(async () => {
    settings().databaseDirectUrl = null
    await endPool()
    await pooler.stop()
    rmSync(folder, { recursive: true })
    await database.drop()
  })

  test('statements that are prepared elsewhere work on whichever connection a transaction gets', async () => {
    const ask = () => withSystemSql((sql) => sql.prepared<{ n: number }>('a probe', 'select $1::int as n', [7]))
    const answers = await Promise.all(Array.from({ length: 60 }, ask))
    expect(answers.flat()).toEqual(Array.from({ length: 60 }, () => ({ n: 7 })))
  })

  test('lines are written by COPY, eight transactions at once, and each sees its own organization', async () => {
    const page = (at: number) => Array.from({ length: 50 }, (_, n) => makeLine({ id: `${at}-${n}` }))
    const writes = Array.from({ length: 8 }, (_, at) => seedLines(owner.organizationId, connectionId, page(at)))
    expect((await Promise.all(writes)).map(({ inserted }) => inserted)).toEqual(Array(8).fill(50))
    const other = '00000000-0000-4000-8000-000000000001' as OrganizationId
    const count = (of: OrganizationId) =>
      withTenantSql(of, (sql) => sql<{ n: string }>('select count(*)::text as n from line').then(([row]) => row?.n))
    const counts = Array.from({ length: 40 }, (_, at) => count(at % 2 === 0 ? owner.organizationId : other))
    expect(await Promise.all(counts)).toEqual(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? '400' : '0')))
  })

  test('a worker is woken, by its own connection to PostgreSQL', async () => {
    const onWake = vi.fn()
    const end = await listenForWishes(onWake)
    await withSystemSql(wakeWorkers)
    await vi.waitFor(() => expect(onWake).toHaveBeenCalledOnce(), 5_000)
    end()
  })

  test('the audit’s chain holds after twenty entries at once, and files and records are read', async () => {
    await switchPool(pooler.through(database.urls.web))
    const { organizationId, userId } = owner
    const actor = { kind: 'operator', name: 'a test' } as const
    const entry = () =>
      withTenantSql(organizationId, (sql) =>
        recordAudit(sql, organizationId, { actor, action: 'checks.set', after: {} }),
      )
    await Promise.all(Array.from({ length: 20 }, entry))
    expect(await verifyChain(organizationId)).toMatchObject({ kind: 'holds', count: 20 })
    const reader = { userId, signal: new AbortController().signal }
    const file = await new Response(await CSV_FILES.lines.stream(organizationId, reader, DEFAULT_LINE_QUERY)).text()
    expect(file.split('\r\n')).toHaveLength(402)
    const people = await withTenant(organizationId, (records) => records.user.findMany({ where: { organizationId } }))
    expect(people).toHaveLength(1)
  })
})
