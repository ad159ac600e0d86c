import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import '#lib/auth/test-support/test-cheap-passwords.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { parseSettings } from '#lib/env.ts'
import { provideAdmin } from './first-admin.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** What a start says, first and at its end. */
async function start(variables: Record<string, string>): Promise<string> {
  let said = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    said += chunk
    return true
  })
  try {
    const sayAccess = await provideAdmin({ settings: parseSettings(variables), databaseUrls: database.urls, keys: {} })
    sayAccess()
  } finally {
    write.mockRestore()
  }
  return said
}
const countUsers = async () => (await database.query('select from app_user')).length

test('with a database elsewhere a start makes no admin and prints no password, unless one is configured', async () => {
  const elsewhere = { DATABASE_URL: database.urls.web }
  expect(await start(elsewhere)).toMatch(/^There is no user yet: `npm run organization -- create [^\n]+\n$/)
  expect(await countUsers()).toBe(0)
  const said = await start({ ...elsewhere, ADMIN_PASSWORD: 'a password of this test' })
  expect(said).not.toContain('a password of this test')
  expect(said).not.toContain('shown this once')
  expect(await countUsers()).toBe(1)
  expect(await start(elsewhere)).toBe('')
})
