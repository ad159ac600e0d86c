import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSyncWorld, type SyncWorld, syncNow } from './seed.ts'

let world: SyncWorld
beforeAll(async () => {
  world = await seedSyncWorld()
})
afterAll(() => world.close())

test('x', async () => {
  const { connectionId } = await world.connect('nordlicht')
  const t = performance.now()
  const { outcome, runId } = await syncNow(world, connectionId)
  console.log(performance.now() - t)
  console.log(await world.database.query('select * from sync_run'))
  console.log(await world.database.query('select name from connection'))
  console.log(await world.database.query('select reason, path from rejected_line'))
  console.log(await world.database.query('select currency, sum(total_amount), count(*), sum(finding_count) from line group by 1'))
  expect(outcome).toBe('succeeded')
})
