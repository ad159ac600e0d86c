import { afterAll, expect, test } from 'vitest'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { GET } from './route.ts'

afterAll(endPool)

test('says ok while the process answers, also without a database', async () => {
  // nothing listens on port 1
  await switchPool('postgresql://nobody@127.0.0.1:1/none')
  const reply = await GET(new Request('http://localhost:3000/api/health'))
  expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok' }])
})
