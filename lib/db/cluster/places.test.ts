import { afterAll, beforeAll, expect, test } from 'vitest'
import { listKeptAnswers } from '../kept-answers.ts'
import { createTestDatabase, type TestDatabase } from '../test-support/test-database.ts'
import { distribute } from './distribute.ts'
import { listPlaced, PLACES } from './places.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('each table has one place on a cluster, and no place is of a table that is not there', async () => {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  const kept = new Set((await listKeptAnswers(database.query)).map(({ table }) => table))
  const names = tables.map(({ name }) => name).filter((name) => !kept.has(name))
  expect(names.sort()).toEqual(Object.keys(PLACES).sort())
})

test('what stands with its organization begins with it, in its key', async () => {
  const keys = await database.query<{ name: string; first: string }>(
    `select c.relname as name, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where i.indisprimary and c.relname = any ($1)`,
    [listPlaced('organization')],
  )
  expect(keys).toHaveLength(listPlaced('organization').length)
  expect(new Set(keys.map(({ first }) => first))).toEqual(new Set(['organization_id']))
})

test('one PostgreSQL is no cluster, and is told so in one sentence', async () => {
  await expect(distribute(database.url)).rejects.toThrow(
    /^this PostgreSQL is no cluster: .* \(docs\/operations\.md, "A cluster"\)$/,
  )
})
