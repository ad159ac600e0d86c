import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { withStatementLimit, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { lockDirectory } from '#lib/directory/settle-access.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { AUDIT_COLUMNS } from './audit-rows.ts'
import { type ChainOptions, hashEntry, verifyChain } from './chain.ts'
import type { AuditEntry, AuditEvent } from './model.ts'
import { recordAudit } from './record-audit.ts'
import { personOf } from './test-support/test-actor.ts'
import { readLastVerification, verifyForPeople } from './verify-for-people.ts'

let database: TestDatabase
let organizationId: OrganizationId
let userId: UserId

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await switchPool(database.urls.both)
  const [row] = await database.query<{ organizationId: string; userId: string }>(
    `with o as (insert into organization (name) values ('Acme') returning id)
     insert into app_user (organization_id, email, name, role) select id, id || '@example.com', 'Ada', 'admin' from o
     returning organization_id as "organizationId", id as "userId"`,
  )
  organizationId = row?.organizationId as string
  userId = row?.userId as string
})

const write = (change: Partial<AuditEvent> = {}, of = organizationId) =>
  withTenantSql(of, (sql) =>
    recordAudit(sql, of, {
      actor: personOf(userId),
      action: 'checks.set',
      subject: { kind: 'check', id: 'line_tax', name: 'Tax' },
      before: { level: 'finding' },
      after: { level: 'note' },
      ...change,
    }),
  )
const writeSome = async (count: number) => {
  for (let each = 0; each < count; each++) await write({ after: { each } })
}
const verify = (options?: ChainOptions) => verifyChain(organizationId, options)
const readEntries = () =>
  database.query<AuditEntry>(
    `select ${AUDIT_COLUMNS} from audit_entry where organization_id = $1 order by audit_entry.number`,
    [organizationId],
  )

/** As the owner of the database who first puts the triggers out of the way. */
async function tamper(text: string, values: unknown[] = [organizationId]): Promise<void> {
  await database.query('alter table audit_entry disable trigger user')
  await database.query(text, values)
  await database.query('alter table audit_entry enable trigger user')
}

test('A26: web server and worker cannot change or remove an entry, empty the table or move the end', async () => {
  await writeSome(2)
  for (const role of ['web', 'worker'] as const) {
    await switchPool(database.urls[role])
    for (const text of [
      `update audit_entry set action = 'checks.habit'`,
      'delete from audit_entry',
      'truncate audit_entry',
      'update audit_head set number = 0',
      'delete from audit_head',
      'truncate audit_head',
      `insert into audit_head values (gen_random_uuid(), 5, '')`,
      'alter table audit_entry disable trigger all',
      'drop table audit_entry',
    ])
      await expect(
        withTenantSql(organizationId, (sql) => sql(text)),
        `${role}: ${text}`,
      ).rejects.toThrow()
    await write()
  }
  expect(await verify()).toMatchObject({ kind: 'holds', count: 4 })
})

test('A26: even the owner of the tables cannot change, remove or empty entries by an ordinary statement', async () => {
  await writeSome(1)
  for (const text of [`update audit_entry set action = 'x.y'`, 'delete from audit_entry', 'truncate audit_entry'])
    await expect(database.query(text)).rejects.toThrow()
})

test('A26: what a process says of number, time and hash counts for nothing', async () => {
  await writeSome(1)
  await switchPool(database.urls.web)
  await withTenantSql(organizationId, (sql) =>
    sql(
      `insert into audit_entry (organization_id, number, at, actor_kind, actor_name, action, previous_hash, hash)
       values ($1, 99, '2001-01-01', 'program', 'web', 'x.y', 'none', 'none')`,
      [organizationId],
    ),
  )
  const [, forged] = await readEntries()
  expect(forged).toMatchObject({ number: '2' })
  expect(Number(forged?.at.slice(0, 4))).toBeGreaterThan(2020)
  expect(await verify()).toMatchObject({ kind: 'holds', count: 2 })
})

test('A26: nothing can be written into another organization’s chain', async () => {
  const [other] = await database.query<{ id: string }>(`insert into organization (name) values ('Other') returning id`)
  await switchPool(database.urls.web)
  await expect(
    withTenantSql(organizationId, (sql) =>
      recordAudit(sql, other?.id as string, { actor: personOf(userId), action: 'checks.set' }),
    ),
  ).rejects.toThrow(/row-level security/)
})

const OTHER = `(insert into organization (name) values ('Other') returning id)`
test.each([
  ['organization_id', `with other as ${OTHER} update audit_entry set organization_id = (select id from other)`],
  ['number', 'update audit_entry set number = 30'],
  ['at', `update audit_entry set at = at + interval '1 microsecond'`],
  ['actor_kind', `update audit_entry set actor_kind = 'operator'`],
  ['actor_id', 'update audit_entry set actor_id = null'],
  ['actor_name', `update audit_entry set actor_name = 'eve@example.com'`],
  ['network', 'update audit_entry set network = null'],
  ['action', `update audit_entry set action = 'checks.habit'`],
  ['subject_kind', `update audit_entry set subject_kind = 'habit'`],
  ['subject_id', `update audit_entry set subject_id = ''`],
  ['subject_name', 'update audit_entry set subject_name = null'],
  ['before', 'update audit_entry set before = null'],
  ['after', `update audit_entry set after = after || ' '`],
  ['previous_hash', `update audit_entry set previous_hash = sha256('')`],
  ['hash', `update audit_entry set hash = sha256('')`],
])('A26: a changed %s is found, and the entry is named', async (_, text) => {
  await writeSome(5)
  await tamper(`${text} where organization_id = $1 and number = 3`)
  expect(await verify()).toMatchObject({ kind: 'broken', at: 3 })
})

test('A26: no column of an entry is left out of its hash', async () => {
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'audit_entry'`,
  )
  const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  await writeSome(1)
  const [entry] = await readEntries()
  expect(
    Object.keys(entry ?? {})
      .map(toColumn)
      .sort(),
  ).toEqual(columns.map(({ name }) => name).sort())
  for (const field of Object.keys(entry ?? {}).filter((each) => each !== 'hash'))
    expect(hashEntry({ ...(entry as AuditEntry), [field]: '00' }), field).not.toBe(entry?.hash)
})

test('A26: an entry that is missing from the middle, or from the end, is found', async () => {
  await writeSome(6)
  await tamper('delete from audit_entry where organization_id = $1 and number = 6')
  expect(await verify()).toMatchObject({ kind: 'broken', at: 6, problem: 'the chain ends at 6' })
  await tamper('delete from audit_entry where organization_id = $1 and number = 3')
  expect(await verify()).toMatchObject({ kind: 'broken', at: 3, problem: 'the next entry has the number 4' })
  await tamper('delete from audit_entry where organization_id = $1')
  expect(await verify()).toMatchObject({ kind: 'broken', at: 1 })
})

test('A26: an end that was cut off together with the head is found by what was noted before', async () => {
  await writeSome(5)
  const noted = (await verify()).head
  await tamper('delete from audit_entry where organization_id = $1 and number = 5')
  await database.query(
    `update audit_head h set number = 4, hash = e.hash from audit_entry e
     where h.organization_id = $1 and e.organization_id = $1 and e.number = 4`,
    [organizationId],
  )
  expect(await verify()).toMatchObject({ kind: 'holds', count: 4 })
  expect(await verify({ expect: noted })).toMatchObject({
    kind: 'broken',
    at: 5,
    problem: 'it was noted, and is not there',
  })
  // whoever writes another in its place cannot make its hash
  await write()
  expect(await verify()).toMatchObject({ kind: 'holds', count: 5 })
  expect(await verify({ expect: noted })).toMatchObject({ kind: 'broken', at: 5 })
})

test('A26: entries that changed places, or were put between others, are found', async () => {
  await writeSome(5)
  await tamper(
    `update audit_entry e set before = o.before, after = o.after, hash = o.hash
     from audit_entry o where e.organization_id = $1 and o.organization_id = $1 and e.number in (2, 3) and o.number = 5 - e.number`,
  )
  expect(await verify()).toMatchObject({ kind: 'broken', at: 2 })
})

test('A26: an entry that was put between others is found', async () => {
  await writeSome(4)
  for (const number of [4, 3])
    await tamper('update audit_entry set number = number + 1 where organization_id = $1 and number = $2', [
      organizationId,
      number,
    ])
  await tamper(
    `insert into audit_entry (organization_id, number, at, actor_kind, actor_name, action, previous_hash, hash)
     select organization_id, 3, at, 'program', 'web', 'x.y', hash, sha256('a guess') from audit_entry
     where organization_id = $1 and number = 2`,
  )
  await database.query('update audit_head set number = 5 where organization_id = $1', [organizationId])
  expect(await verify()).toMatchObject({ kind: 'broken', at: 3, problem: 'it is not what was written' })
})

test('a chain is verified across batches, from any of its newest entries, and without an entry', async () => {
  expect(await verify()).toMatchObject({ kind: 'holds', count: 0, head: { number: 0 } })
  await database.query(
    `insert into audit_entry (organization_id, actor_kind, actor_name, action)
     select $1, 'program', 'web', 'x.y' from generate_series(1, 4001)`,
    [organizationId],
  )
  const { head } = await verify()
  expect(await verify()).toEqual({ kind: 'holds', from: 1, count: 4001, head })
  expect(await verify({ newest: 10 })).toEqual({ kind: 'holds', from: 3992, count: 10, head })
  expect(await verify({ newest: 9999, expect: head })).toEqual({ kind: 'holds', from: 1, count: 4001, head })
  await tamper(`update audit_entry set actor_name = 'eve' where organization_id = $1 and number in (4, 4000)`)
  expect(await verify({ newest: 10 })).toMatchObject({ kind: 'broken', at: 4000 })
  expect(await verify()).toMatchObject({ kind: 'broken', at: 4 })
})

test('what a verification found is an entry of its own', async () => {
  await writeSome(3)
  expect(await readLastVerification(organizationId)).toBeNull()
  await verifyForPeople(organizationId, personOf(userId))
  const by = 'ada@example.com'
  expect(await readLastVerification(organizationId)).toMatchObject({ by, outcome: { holds: true, from: 1, to: 3 } })
  for (const after of [null, 'nonsense', '{"holds":true}'])
    await database.query(
      `insert into audit_entry (organization_id, actor_kind, actor_name, action, after)
       values ($1, 'program', 'web', 'audit.verified', $2)`,
      [organizationId, after],
    )
  expect(await readLastVerification(organizationId)).toBeNull()
  await tamper(`update audit_entry set actor_name = 'eve' where organization_id = $1 and number = 2`)
  await verifyForPeople(organizationId, personOf(userId))
  expect(await readLastVerification(organizationId)).toMatchObject({
    by,
    outcome: { holds: false, entry: 2, problem: 'it is not what was written' },
  })
})

test('eight transactions at once leave neither gap nor fork, and each organization has its own numbers', async () => {
  const [other] = await database.query<{ id: string }>(`insert into organization (name) values ('Other') returning id`)
  const otherId = other?.id as string
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let each = 0; each < 10; each++) {
        await write({ after: { writer, each } })
        if (each % 5 === 0) await write({}, otherId)
      }
    }),
  )
  expect(await verify()).toMatchObject({ kind: 'holds', count: 80 })
  expect(await verifyChain(otherId)).toMatchObject({ kind: 'holds', count: 16 })
})

test('whoever holds the organization and then writes keeps no other writer waiting, nor waits in a circle with one', async () => {
  await withTenantSql(organizationId, async (sql) => {
    await lockDirectory({ sql, organizationId })
    await withStatementLimit(10_000, write)
    await recordAudit(sql, organizationId, { actor: personOf(userId), action: 'checks.set' })
  })
  expect(await verify()).toMatchObject({ kind: 'holds', count: 2 })
})

test('what is rolled back leaves no entry, and no number is missing for it', async () => {
  await writeSome(1)
  const doomed = withTenantSql(organizationId, async (sql) => {
    await recordAudit(sql, organizationId, { actor: personOf(userId), action: 'checks.set' })
    throw new Error('changed its mind')
  })
  await expect(doomed).rejects.toThrow('changed its mind')
  await writeSome(1)
  expect((await readEntries()).map(({ number }) => number)).toEqual(['1', '2'])
  expect(await verify()).toMatchObject({ kind: 'holds', count: 2 })
})

test('any text that a name or a value can hold is stored, and hashed alike by database and program', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('', '-', '3:abc', 'a\r\nb', '\ud800', 'x\udc00y', '\0', '👩‍🚀', '"\\', ',', '\u2028', "'; --"),
  )
  const event = fc.record({
    actor: fc.oneof(
      fc.record({
        kind: fc.constant('person' as const),
        userId: fc.uuid(),
        name: hostile,
        network: fc.option(hostile),
      }),
      fc.record({ kind: fc.constant('operator' as const), name: hostile }),
      fc.record({ kind: fc.constant('directory' as const), name: hostile, network: fc.option(hostile) }),
    ),
    action: fc.constant('checks.set' as const),
    subject: fc.option(
      fc.record({
        kind: hostile.map((text) => text.replaceAll('\0', '')),
        id: fc.option(hostile),
        name: fc.option(hostile),
      }),
      {
        nil: undefined,
      },
    ),
    before: fc.option(fc.dictionary(hostile, fc.jsonValue()), { nil: undefined }),
    after: fc.option(fc.dictionary(hostile, hostile), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(event, async (each) => {
      await write(each)
      const [entry] = await database.query<AuditEntry>(
        `select ${AUDIT_COLUMNS} from audit_entry where organization_id = $1 order by audit_entry.number desc limit 1`,
        [organizationId],
      )
      expect(hashEntry(entry as AuditEntry)).toBe(entry?.hash)
      expect(entry?.after === null ? undefined : JSON.parse(entry?.after ?? '')).toEqual(
        each.after && JSON.parse(JSON.stringify(each.after)),
      )
    }),
    { numRuns: 300 },
  )
  expect(await verify()).toMatchObject({ kind: 'holds', count: 300 })
})
