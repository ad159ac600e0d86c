import { afterAll, beforeAll, expect, test } from 'vitest'
import { switchPool } from '../../../lib/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '../../../lib/db/test-database.ts'
import { GET } from './route.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const request = () => new Request('http://localhost:3000/api/health')

test('says ok while the database answers, and 503 without a reason while it does not', async () => {
  const up = await GET(request())
  expect([up.status, await up.json()]).toEqual([200, { status: 'ok' }])
  // nothing listens on port 1
  await switchPool('postgresql://nobody@127.0.0.1:1/none')
  const down = await GET(request())
  expect([down.status, await down.json()]).toEqual([503, { status: 'unavailable' }])
  await switchPool(database.url)
})
