import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, withConnection } from '../one-connection.ts'
import { createTestDatabase, type TestDatabase } from '../test-support/test-database.ts'
import { forgetTakenApart, openTakenApart, putTogether, TAKEN_APART, takeApart } from './taken-apart.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function listStanding(): Promise<string[]> {
  const rows = await database.query<{ each: string }>(
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as each from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace
     union all
     select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  return rows.map(({ each }) => each)
}

/** A move that ends by force after so many of its statements; false when it was through before. */
async function endAfter(statements: number): Promise<boolean> {
  let isEnded = false
  await withConnection(database.url, async (client) => {
    let left = statements
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const counted = Object.assign(Object.create(client) as Connection, {
      query: (...args: unknown[]) => {
        isEnded = left === 0
        if (isEnded) throw new Error('ended by force')
        left -= 1
        return query(...args)
      },
    })
    await move(counted)
  }).catch((thrown: Error) => expect(thrown.message).toBe('ended by force'))
  return isEnded
}

async function move(client: Connection): Promise<void> {
  await openTakenApart(client)
  await takeApart(client, [])
  await putTogether(client, 'copy')
  await putTogether(client, 'key')
  await putTogether(client, 'trigger')
  await forgetTakenApart(client)
}

test('every foreign key and trigger stands again, wherever moves before were ended by force', async () => {
  const before = await listStanding()
  expect(before.length).toBeGreaterThan(200)
  // the first are ended while all goes, the others while it comes back
  for (const end of [3, 100, 200, 320, 440, 500]) expect(await endAfter(end), `after ${end}`).toBe(true)
  expect(await endAfter(Number.POSITIVE_INFINITY)).toBe(false)
  expect(await listStanding()).toEqual(before)
  expect(await database.query('select to_regclass($1) as left', [TAKEN_APART])).toEqual([{ left: null }])
})

test('a move does not call itself ended while something is missing', async () => {
  await withConnection(database.url, async (client) => {
    await openTakenApart(client)
    await takeApart(client, [])
    await putTogether(client, 'trigger')
    await expect(forgetTakenApart(client)).rejects.toThrow(/^not put back yet: /)
    await putTogether(client, 'key')
    await forgetTakenApart(client)
  })
})
