import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDatabaseTrouble } from './database-trouble.ts'
import { warmRecords, withRecords } from './records.ts'
import { withSystem, withTenant, withTenantSql } from './tenant.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'

let database: TestDatabase
const organizations: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  for (const name of ['first', 'second']) {
    const [row] = await database.query<{ id: string }>('insert into organization (name) values ($1) returning id', [
      name,
    ])
    organizations.push(row?.id as string)
    const user = `insert into app_user (organization_id, email, name, role) values ($1, $2, $2, 'admin')`
    await database.query(user, [row?.id, `${name}@example.com`])
  }
})
afterAll(() => database.drop())

const first = () => organizations[0] as string

test('records and SQL see each other’s changes, and one rollback undoes both', async () => {
  const attempt = withTenant(first(), async (records, sql) => {
    await records.user.updateMany({ data: { name: 'by records' } })
    expect(await sql('select name from app_user')).toEqual([{ name: 'by records' }])
    await sql(`update app_user set role = 'viewer'`)
    expect(await records.user.findFirst({ select: { role: true } })).toEqual({ role: 'viewer' })
    throw new Error('stop')
  })
  await expect(attempt).rejects.toThrow('stop')
  expect(await withTenant(first(), (records) => records.user.findMany({ select: { name: true, role: true } }))).toEqual(
    [{ name: 'first@example.com', role: 'admin' }],
  )
})

test('A9: models without a where see only their organization’s rows, across many transactions at once', async () => {
  const emails = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      withTenant(organizations[i % 2] as string, async (records) => {
        const found = await Promise.all([records.user.findFirst(), records.user.findMany(), records.user.count()])
        return [found[0]?.email, found[1].map(({ email }) => email), found[2]]
      }),
    ),
  )
  emails.forEach((found, i) => {
    const email = i % 2 === 0 ? 'first@example.com' : 'second@example.com'
    expect(found).toEqual([email, [email], 1])
  })
})

test('A9: a record cannot be written into another organization', async () => {
  const data = { organizationId: organizations[1] as string, email: 'x@example.com', name: 'x', role: 'viewer' }
  await expect(withTenant(first(), (records) => records.user.createMany({ data }))).rejects.toThrow(
    'row-level security',
  )
})

test('a failing operation of several statements undoes itself and leaves the transaction usable', async () => {
  await withSystem(async (records, sql) => {
    await sql(`insert into organization (name) values ('third')`)
    const twice = { name: 'x', role: 'viewer', email: 'first@example.com' }
    const nested = records.organization.create({ data: { name: 'fourth', users: { create: twice } } })
    await expect(nested).rejects.toThrow()
    const names = await sql<{ name: string }>(`select name from organization order by name`)
    expect(names.map(({ name }) => name)).toEqual(['first', 'second', 'third'])
  })
})

test('operations begun at once in one transaction do not interleave', async () => {
  const attempt = withSystem(async (records, sql) => {
    const taken = { name: 'x', role: 'viewer', email: 'first@example.com' }
    const wishes = ['a', 'b', 'c', 'd'].map((name, i) => {
      const user = i === 1 ? taken : { ...taken, email: `${name}@example.com` }
      return records.organization.create({ data: { name, users: { create: user } } })
    })
    const ends = await Promise.allSettled([...wishes, records.user.count()])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    const made = await sql('select name from organization where length(name) = 1 order by name')
    expect(made).toEqual([{ name: 'a' }, { name: 'c' }, { name: 'd' }])
    throw new Error('stop')
  })
  await expect(attempt).rejects.toThrow('stop')
})

test('an error of Prisma’s own is not mistaken for an earlier, handled failure', async () => {
  const attempt = withSystem(async (records) => {
    const taken = { name: 'x', role: 'viewer', email: 'first@example.com' }
    const nested = records.organization.create({ data: { name: 'x', users: { create: taken } } })
    await expect(nested).rejects.toThrow('email')
    await records.user.findFirstOrThrow({ where: { name: 'nobody' } })
  })
  await expect(attempt).rejects.toMatchObject({ code: 'P2025' })
})

test('a failure is the driver’s own: database trouble and wrong work can be told apart', async () => {
  const lost = withTenant(first(), async (records, sql) => {
    const [{ pid } = { pid: 0 }] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
    await database.query('select pg_terminate_backend($1)', [pid])
    await records.user.count()
  })
  expect(isDatabaseTrouble(await lost.catch((thrown) => thrown))).toBe(true)
  const wrong = withTenant(first(), (records) => records.user.updateMany({ data: { role: 'king' } }))
  await expect(wrong).rejects.toMatchObject({ code: '23514' })
})

test('models without a transaction, or after its end, reach nothing', async () => {
  const kept = await withTenant(first(), async (records) => ({ records }))
  await expect(Promise.resolve(kept.records.user.count())).rejects.toThrow('inside withTenant or withSystem only')
  const late = await withTenantSql(first(), (sql) => withRecords(sql.client, async (records) => ({ records })))
  await expect(Promise.resolve(late.records.user.count())).rejects.toThrow('inside withTenant or withSystem only')
})

test('Prisma Client can be loaded before its first use without querying the database', async () => {
  const loaded = globalThis as { tieoutRecords?: unknown }
  delete loaded.tieoutRecords
  // a query outside a transaction would throw
  await warmRecords()
  expect(loaded.tieoutRecords).toBeDefined()
})
