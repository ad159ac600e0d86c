import { test } from 'vitest'
import { pool } from '../db/pool.ts'
import { withTenantSql } from '../db/tenant.ts'
import { createTestDatabase } from '../db/test-database.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from './seed.ts'

test('plan', { timeout: 900_000 }, async () => {
  const db = await createTestDatabase()
  const owner = await seedOrganization(db.query)
  const c = await seedConnection(db.query, owner)
  const batch = Array.from({ length: 20_000 }, () => makeLine({ raw: JSON.stringify({ x: 'y'.repeat(900) }) }))
  const run = async (name: string) => {
    const t = performance.now()
    for (let i = 0; i < batch.length; i += 50) await seedLines(owner.organizationId, c, batch.slice(i, i + 50))
    console.log(name, Math.round(performance.now() - t), 'ms')
  }
  const explain = async (name: string) => {
    let text = '',
      values: unknown[] = []
    await withTenantSql(owner.organizationId, async (sql) => {
      const real = sql.client.query.bind(sql.client)
      const { applyLines } = await import('./apply-lines.ts')
      const spy = Object.assign(
        async (t: string, v?: unknown[]) => {
          if (t.includes('recordset')) {
            text = t
            values = v ?? []
            return (await real('explain (analyze, costs off) ' + t, v)).rows as never
          }
          return (await real(t, v)).rows as never
        },
        { client: sql.client },
      )
      const lines = batch.slice(5000, 5050)
      const t0 = performance.now()
      const rows: string[] = []
      const spy2 = Object.assign(
        async (t: string, v?: unknown[]) => {
          const r = await spy(t, v)
          if (t.includes('recordset')) {
            rows.push(...(r as Record<string, string>[]).map((x) => Object.values(x)[0]!))
            return [{ inserted: 0, updated: 0 }] as never
          }
          return r
        },
        { client: sql.client },
      )
      await applyLines(spy2 as never, { organizationId: owner.organizationId, connectionId: c, lines })
      console.log(name, '\n' + rows.filter((r) => !/Output/.test(r)).join('\n'))
    })
  }
  await run('apply')
  await explain('unanalyzed')
  await run('re-apply')
  await db.query('analyze line')
  await explain('analyzed')
  await run('re-apply analyzed')
  await db.drop()
})
