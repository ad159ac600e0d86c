import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrate, readSchemaState } from './migrate.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

let database: TestDatabase
let directory: string

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tieout-migrations-'))
  await database.query('drop schema public cascade')
  await database.query('create schema public')
})
afterEach(() => rmSync(directory, { recursive: true }))
afterAll(() => database.drop())

function writeMigration(name: string, sql: string): void {
  mkdirSync(join(directory, name), { recursive: true })
  writeFileSync(join(directory, name, 'migration.sql'), sql)
}

const ledger = () =>
  database.query('select migration_name, finished_at is not null as done, logs from _prisma_migrations order by 1')

test('applies the migrations in order, none of them twice', async () => {
  writeMigration('2_second', 'alter table thing add column b int;')
  writeMigration('1_first', 'create table thing (a int);')
  expect(await migrate(database.url, directory)).toEqual(['1_first', '2_second'])
  expect(await migrate(database.url, directory)).toEqual([])
})

test('one of several processes applies them while the others wait and find it done', async () => {
  writeMigration('1_first', 'select pg_sleep(0.3); create table thing (a int);')
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, directory)))
  expect(applied.flat()).toEqual(['1_first'])
})

test('refuses a migration that was edited after it was applied', async () => {
  writeMigration('1_first', 'create table thing (a int);')
  await migrate(database.url, directory)
  writeMigration('1_first', 'create table thing (a bigint);')
  await expect(migrate(database.url, directory)).rejects.toThrow('Migration 1_first was edited after it was applied.')
})

test('refuses a database that is newer than the program', async () => {
  writeMigration('1_first', 'create table thing (a int);')
  writeMigration('2_second', 'create table other (a int);')
  await migrate(database.url, directory)
  rmSync(join(directory, '2_second'), { recursive: true })
  await expect(migrate(database.url, directory)).rejects.toThrow('it is newer than the program')
})

test('a failed migration leaves only its reason behind, and stops those after it', async () => {
  writeMigration('1_first', 'create table thing (a int); select 1/0;')
  writeMigration('2_second', 'create table other (a int);')
  await expect(migrate(database.url, directory)).rejects.toThrow('Migration 1_first failed: division by zero')
  expect(await ledger()).toEqual([{ migration_name: '1_first', done: false, logs: 'division by zero' }])
  expect(await database.query(`select to_regclass('thing') as thing, to_regclass('other') as other`)).toEqual([
    { thing: null, other: null },
  ])
  await expect(migrate(database.url, directory)).rejects.toThrow('failed earlier')
})

test('a migration that was broken off has changed nothing, and the next start applies it', async () => {
  writeMigration('1_first', 'create table thing (a int); select pg_advisory_xact_lock(42);')
  await database.query('select pg_advisory_lock(42)')
  const broken = migrate(database.url, directory).then(
    () => 'applied',
    (error: Error) => error.message,
  )
  const breakOff = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'advisory' and query like '%pg_advisory_xact_lock(42)%'`
  await expect.poll(async () => (await database.query(breakOff)).length).toBe(1)
  expect(await broken).toContain('Migration 1_first failed: terminating connection')
  await database.query('select pg_advisory_unlock(42)')
  expect(await database.query(`select to_regclass('thing') as thing`)).toEqual([{ thing: null }])
  expect(await migrate(database.url, directory)).toEqual(['1_first'])
})

const BASELINE = '20261126000000_baseline'
const LAST = '20261125250000_taken_back_losses'

/** As versions before the baseline left a database: their migrations, and the tables. */
async function leaveTables(...names: string[]): Promise<void> {
  for (const name of names)
    writeMigration(name, `create table if not exists thing (a int); insert into thing values (${name.length});`)
  await migrate(database.url, directory)
  for (const name of names) rmSync(join(directory, name), { recursive: true })
  writeMigration(BASELINE, 'create table thing (a int);')
}

test('takes over a database that has all tables of the baseline: only the record of it changes', async () => {
  await leaveTables('20261120000000_foundation', LAST)
  const rows = await database.query('select * from thing order by 1')
  expect((await readSchemaState(database.url, directory)).pending).toEqual([BASELINE])
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, directory)))
  expect(applied.flat()).toEqual([])
  expect(await ledger()).toEqual([{ migration_name: BASELINE, done: true, logs: null }])
  expect(await database.query('select * from thing order by 1')).toEqual(rows)
  expect((await readSchemaState(database.url, directory)).pending).toEqual([])
})

test('names the version to start once for an older database, and changes nothing of it', async () => {
  await leaveTables('20261120000000_foundation', '20261124140000_directory')
  const said = 'Start version 0.1.0 (tag v0.1.0) once, which brings it up to date, then this one.'
  await expect(migrate(database.url, directory)).rejects.toThrow(said)
  await expect(readSchemaState(database.url, directory)).rejects.toThrow(said)
  expect((await ledger()).map((row) => row.migration_name)).toEqual([
    '20261120000000_foundation',
    '20261124140000_directory',
  ])
})
