import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listKeptAnswers } from './kept-answers.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

function prisma(...args: string[]): string {
  return execFileSync(
    process.execPath,
    ['node_modules/prisma/build/index.js', ...args, '--config', 'prisma/prisma.config.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, DATABASE_URL: database.url, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    },
  )
}

test('schema.prisma matches the migrations: every table, column, key, relation and index', async () => {
  // made by a file of its own, and no model
  for (const { table } of await listKeptAnswers(database.query)) await database.query(`drop table ${table} cascade`)
  const script = prisma(
    'migrate',
    'diff',
    '--from-config-datasource',
    '--to-schema',
    'prisma/schema.prisma',
    '--script',
  )
  expect(script.trim()).toBe('-- This is an empty migration.')
})

test('Prisma’s own command line agrees with our record of migrations', () => {
  expect(prisma('migrate', 'status')).toContain('Database schema is up to date!')
})
