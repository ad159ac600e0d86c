import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { verifyPassword } from '../passwords/password.ts'
import { provideFirstAdmin } from './first-admin.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('makes the first admin once, however many processes start at once', async () => {
  const now = new Date()
  const wishes = [1, 2, 3].map(() => provideFirstAdmin({ email: 'Admin@Example.com', password: null }, now))
  const made = (await Promise.all(wishes)).filter(({ created }) => created)
  expect(made).toHaveLength(1)
  const users = await database.query<{ role: string; email: string; password_hash: string; organization: string }>(
    'select u.*, o.name as organization from app_user u join organization o on o.id = u.organization_id',
  )
  expect(users).toMatchObject([{ role: 'admin', email: 'admin@example.com', organization: 'My company' }])
  expect(await verifyPassword(made[0]?.password ?? '', users[0]?.password_hash ?? null)).toBe('right')
  const again = await provideFirstAdmin({ email: 'other@example.com', password: 'chosen-one' }, now)
  expect(again).toEqual({ created: false, email: 'admin@example.com', password: null })
  expect(await database.query('select from organization')).toHaveLength(1)
})
