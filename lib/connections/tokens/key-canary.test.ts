import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { JwkSet } from '#lib/env.ts'
import { assertCanaries, requireKnownRing } from './key-canary.ts'
import { generateTokenKeys } from './vault.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => database.query('delete from token_key_canary'))
afterAll(() => database.drop())

const canaries = async () =>
  (await database.query<{ key_id: string }>('select key_id from token_key_canary')).map((row) => row.key_id)
const idOf = ({ keys: [key] }: JwkSet) => key?.kid as string

test('A24: refuses a key ring no worker of the database opens, and names those they do', async () => {
  const ours = await generateTokenKeys()
  const strange = await generateTokenKeys()
  await requireKnownRing(strange.publicKeys) // no worker has started yet: nothing is known
  await assertCanaries(ours)
  await requireKnownRing(ours.publicKeys)
  await expect(requireKnownRing(strange.publicKeys)).rejects.toThrow(
    `TOKEN_PUBLIC_KEYS: no worker of this database opens what is sealed to ${idOf(strange.publicKeys)}; they know ${idOf(ours.publicKeys)}.`,
  )
  // a key the workers do not have yet seals nothing, even with a known key behind it
  const early = { keys: [...strange.publicKeys.keys, ...ours.publicKeys.keys] }
  await expect(requireKnownRing(early)).rejects.toThrow('a new key has to be known to the workers first')
})

test('a worker with a foreign key ring leaves nothing behind that would stop the others', async () => {
  const ours = await generateTokenKeys()
  await assertCanaries(ours)
  await expect(assertCanaries(await generateTokenKeys())).rejects.toThrow('is missing or another')
  expect(await canaries()).toEqual([idOf(ours.publicKeys)])
  await assertCanaries(ours)
})

test('of two workers with different rings on a new database, one starts', async () => {
  const rings = await Promise.all([generateTokenKeys(), generateTokenKeys()])
  const outcomes = await Promise.allSettled(rings.map(assertCanaries))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await canaries()).toHaveLength(1)
})

test('a retired key that is still in somebody’s ring is not asked for again', async () => {
  const [fresh, old] = [await generateTokenKeys(), await generateTokenKeys()]
  const keys = (which: 'publicKeys' | 'privateKeys') => ({ keys: [...fresh[which].keys, ...old[which].keys] })
  await assertCanaries({ publicKeys: keys('publicKeys'), privateKeys: keys('privateKeys') })
  expect(await canaries()).toEqual([idOf(fresh.publicKeys)])
})
