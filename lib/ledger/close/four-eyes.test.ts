/** Every door to the tables: who prepared never approves, and no step skips the one before. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import {
  makeInvoice,
  makeLine,
  type SeededPerson,
  seedInvoices,
  seedLines,
  seedPerson,
  seedTwoPeople,
} from '../test-support/seed.ts'
import { setFourEyes } from './four-eyes.ts'
import { lockPeriod, reopenPeriod } from './lock-period.ts'
import type { Scope } from './read-seal.ts'
import { previewSignOff, type Signer, signOff } from './sign-off.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let ada: SeededPerson
let ben: SeededPerson

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  ;({ organizationId, connectionId, ada, ben } = await seedTwoPeople(database.query))
  await seedInvoices(organizationId, connectionId, [makeInvoice()])
  await seedLines(organizationId, connectionId, [makeLine({ id: 'A' })])
})
afterEach(() => switchPool(database.urls.both))

const scopes = (): Scope[] => [
  { kind: 'invoice', connectionId, serialNumber: 'INV-01-0001' },
  { kind: 'profile_month', connectionId, profileId: 'profile-1', month: '2026-03' },
  { kind: 'connection_month', connectionId, month: '2026-03' },
]

async function sign(signer: Signer, scope: Scope, step: 'prepared' | 'approved') {
  const { sealHex, open } = await previewSignOff(organizationId, scope, step, null)
  const residuals = open.map((each) => ({ ...each, reason: 'Agreed', note: null }))
  return signOff(organizationId, signer, scope, step, { sealHex, residuals, runningRun: null })
}

/** As somebody writes who has the database's role and no code of ours. */
function insertApproval(person: UserId, kind: string, seal = 'seal') {
  return withTenantSql(organizationId, (sql) =>
    sql(
      `insert into sign_off (organization_id, scope_kind, connection_id, profile_id, month, invoice_serial_number, generation, step,
         actor_kind, actor_id, actor_name, actor_role, seal, line_count, invoice_count, totals, proof_version, checks_number, habits_number, rule)
       select organization_id, scope_kind, connection_id, profile_id, month, invoice_serial_number, generation, 'approved',
         $2, $1, 'Somebody', 'admin', ${seal}, line_count, invoice_count, totals, proof_version, checks_number, habits_number, 'a rule'
       from sign_off where step = 'prepared' and ended_at is null returning 1`,
      [person, kind],
    ),
  )
}

test('who prepared an invoice or a month is refused to approve it, and somebody else is not', async () => {
  for (const scope of scopes()) {
    expect(await sign(ada, scope, 'approved')).toEqual({ kind: 'refused', code: 'no-step-before' })
    expect(await sign(ada, scope, 'prepared')).toMatchObject({ kind: 'signed' })
    expect(await sign(ben, scope, 'prepared')).toEqual({ kind: 'refused', code: 'already' })
    expect(await sign(ada, scope, 'approved')).toEqual({ kind: 'refused', code: 'four-eyes' })
    expect(await sign(ben, scope, 'approved')).toMatchObject({ kind: 'signed' })
  }
})

test.each(['web', 'worker'] as const)(
  'with the role of the %s, SQL of one’s own approves nothing that the same person prepared, as a rule or a key neither',
  async (role) => {
    const [scope] = scopes() as [Scope]
    await sign(ada, scope, 'prepared')
    await switchPool(database.urls[role])
    for (const kind of ['person', 'rule', 'key'])
      await expect(insertApproval(ada.id, kind)).rejects.toMatchObject({ code: 'four-eyes' })
    await expect(insertApproval(ben.id, 'person')).resolves.toHaveLength(1)
    await expect(
      withTenantSql(organizationId, (sql) => sql(`update sign_off set actor_id = $1`, [ada.id])),
    ).rejects.toThrow('permission denied')
    for (const table of ['sign_off', 'sign_off_end', 'period_lock', 'drift'])
      await expect(withTenantSql(organizationId, (sql) => sql(`delete from ${table}`))).rejects.toThrow(
        'permission denied',
      )
  },
)

test('an approval of another seal than was prepared is refused, and one that ended does not stand again', async () => {
  const [scope] = scopes() as [Scope]
  await sign(ada, scope, 'prepared')
  await expect(insertApproval(ben.id, 'person', 'sha256(seal)')).rejects.toMatchObject({ code: 'sign-off-changed' })
  await expect(withTenantSql(organizationId, (sql) => sql(`update sign_off set ended_at = now()`))).rejects.toThrow(
    'append-only',
  )
  await database.query(`update line set quantity = 2 where organization_id = $1`, [organizationId])
  await expect(withTenantSql(organizationId, (sql) => sql(`update sign_off set ended_at = null`))).rejects.toThrow(
    'append-only',
  )
  await expect(insertApproval(ben.id, 'person')).resolves.toEqual([])
  expect(await sign(ben, scope, 'approved')).toEqual({ kind: 'refused', code: 'no-step-before' })
})

test('an organization may let one person do both, and only says so by its setting', async () => {
  const [scope, month] = scopes() as [Scope, Scope]
  await setFourEyes(organizationId, false, ada.actor)
  await sign(ada, scope, 'prepared')
  expect(await sign(ada, scope, 'approved')).toMatchObject({ kind: 'signed' })
  await setFourEyes(organizationId, true, ada.actor)
  await sign(ada, month, 'prepared')
  expect(await sign(ada, month, 'approved')).toMatchObject({ kind: 'refused', code: 'four-eyes' })
})

test('two people who approve at once: one signs, and the other is told that it was done', async () => {
  const [scope] = scopes() as [Scope]
  const cy = await seedPerson(database.query, organizationId, { name: 'Cy', role: 'admin' })
  await sign(ada, scope, 'prepared')
  const both = await Promise.all([sign(ben, scope, 'approved'), sign(cy, scope, 'approved')])
  expect(both.map(({ kind }) => kind).sort()).toEqual(['refused', 'signed'])
  expect(both).toContainEqual({ kind: 'refused', code: 'already' })
})

test('with the role of the web server, SQL of one’s own moves nothing in a locked month, and in an open one it does', async () => {
  const month: Scope = { kind: 'connection_month', connectionId, month: '2026-03' }
  await decideBoth()
  await sign(ada, month, 'prepared')
  await sign(ben, month, 'approved')
  const locked = await lockPeriod(organizationId, ben, month)
  await switchPool(database.urls.web)
  for (const table of ['line_review', 'invoice_review'])
    for (const statement of [`update ${table} set state = 'disputed'`, `delete from ${table}`])
      await expect(
        withTenantSql(organizationId, (sql) => sql(statement)),
        statement,
      ).rejects.toMatchObject({ code: 'period-locked' })
  await expect(insertReview('line_review', 'line_id', 'B')).rejects.toMatchObject({ code: 'period-locked' })
  await expect(
    reopenPeriod(organizationId, ben, locked.kind === 'locked' ? locked.number : '', 'Late credit'),
  ).resolves.toMatchObject({ kind: 'reopened' })
  await withTenantSql(organizationId, (sql) => sql(`update line_review set state = 'disputed'`))
})

const NONE = { lineCount: 0, amount: '0' }
const NO_PROOF = { findings: [], notes: [], notImported: NONE, removed: NONE }

/** Line `A` and its invoice, by hand; line `B` is open. */
async function decideBoth() {
  await seedLines(organizationId, connectionId, [makeLine({ id: 'B' })])
  await database.query(
    `insert into decision (organization_id, number, kind, actor_kind, actor_name, question, set_hash, line_count, totals, state, decided_at)
     values ($1, 1, 'accept', 'person', 'Ada Admin', '', '', 0, '[]', 'applied', now())`,
    [organizationId],
  )
  await insertReview('line_review', 'line_id', 'A')
  await insertReview('invoice_review', 'invoice_serial_number', 'INV-01-0001')
}

function insertReview(table: 'line_review' | 'invoice_review', key: string, id: string) {
  const [names, values] =
    table === 'line_review'
      ? ['seen_hash, currency, amount', `'', 'EUR', 1`]
      : ['seen', `'${JSON.stringify(NO_PROOF)}'`]
  return withTenantSql(organizationId, (sql) =>
    sql(
      `insert into ${table} (organization_id, connection_id, ${key}, state, decision, ${names})
       values ($1, $2, $3, 'accepted', 1, ${values})`,
      [organizationId, connectionId, id],
    ),
  )
}
