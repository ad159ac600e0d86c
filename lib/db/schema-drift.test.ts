import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What only the migrations have: tables that Prisma Client does not read, and keys and indexes that it need not know. */
const ONLY_IN_MIGRATIONS = /^(ALTER TABLE "\w+" DROP CONSTRAINT "\w+"|DROP INDEX "\w+"|DROP TABLE "\w+")$/

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

test('every table and column of schema.prisma is in the migrations, with the same type', () => {
  const script = prisma(
    'migrate',
    'diff',
    '--from-config-datasource',
    '--to-schema',
    'prisma/schema.prisma',
    '--script',
  )
  const statements = script
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  expect(statements).not.toEqual([])
  expect(statements.filter((statement) => !ONLY_IN_MIGRATIONS.test(statement))).toEqual([])
})

test('Prisma’s own command line agrees with the ledger that our migrations keep', () => {
  expect(prisma('migrate', 'status')).toContain('Database schema is up to date!')
})
