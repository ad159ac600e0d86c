import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { settings } from '#lib/env.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { exportFiles } from './export-command.ts'
import { callCommand } from './test-support/test-command.ts'

let database: TestDatabase
const folder = mkdtempSync(join(tmpdir(), 'tieout-export-'))

beforeAll(async () => {
  database = await createTestDatabase()
  settings().databaseUrl = database.urls.web
  for (const name of ['Acme', 'Beta']) {
    const owner = await seedOrganization(database.query, name)
    const connectionId = await seedConnection(database.query, owner)
    await seedLines(owner.organizationId, connectionId, [makeLine()])
  }
})
afterAll(() => {
  rmSync(folder, { recursive: true })
  return database.drop()
})

const call = (...args: string[]) => callCommand(exportFiles, args)

test('writes every organization, or the one that is named, and says what it did', async () => {
  const one = await call('parquet', folder, '--organization', 'Beta')
  expect(one).toEqual({ code: 0, said: ['Beta  written: 1 (1 rows)  unchanged: 0  removed: 0'], wrong: '' })
  expect(readdirSync(folder)).toHaveLength(1)
  expect((await call('parquet', folder)).said).toEqual([
    'Acme  written: 1 (1 rows)  unchanged: 0  removed: 0',
    'Beta  written: 0 (0 rows)  unchanged: 1  removed: 0',
  ])
})

test('a wrong call writes nothing and ends with 2', async () => {
  for (const args of [[], ['parquet'], ['csv', folder], ['parquet', 'a', 'b'], ['parquet', folder, '--all']])
    expect(await call(...args), args.join(' ')).toMatchObject({ code: 2 })
  for (const target of ['ftp://lake/a', 's3://', 's3://UPPER/a', 's3://lake/a?b'])
    expect(await call('parquet', target), target).toMatchObject({ code: 2, wrong: expect.stringContaining('neither') })
  expect(await call('parquet', folder, '--organization', 'Gamma')).toMatchObject({ code: 2 })
  expect(await call('parquet', 's3://lake/a')).toMatchObject({
    code: 2,
    wrong: 's3:// needs LAKE_S3_ACCESS_KEY_ID and LAKE_S3_SECRET_ACCESS_KEY in the environment.',
  })
})

test('what cannot be written is one sentence', async () => {
  const file = join(folder, 'a file')
  writeFileSync(file, '')
  expect(await call('parquet', file)).toMatchObject({ code: 1, wrong: expect.stringContaining('ENOTDIR') })
})
