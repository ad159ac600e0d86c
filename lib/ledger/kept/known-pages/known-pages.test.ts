import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { LINE, toRaw } from '#lib/partner/test-support/test-records.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'
import { proveLine } from '#lib/reconcile/line-proof.ts'
import { keyOf } from '../../apply/mark-missing.ts'
import { type LedgerMoment, MOMENT_COLUMNS } from '../../sql/moment.ts'
import { applyLines, seedConnection, seedOrganization } from '../../test-support/seed.ts'
import { isAnyTouched, keepKnownPages, listKnownPages } from './known-pages.ts'

const PLACE = 'a place'

let database: TestDatabase
let owner: { organizationId: OrganizationId; connectionId: ConnectionId }

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A connection with the lines a and b, and a page that has both. */
beforeEach(async () => {
  const organization = await seedOrganization(database.query)
  const { organizationId } = organization
  const connectionId = await seedConnection(database.query, organization)
  owner = { organizationId, connectionId }
  const lines = ['a', 'b', 'c'].map((id) => {
    const read = parseLine(toRaw(LINE, { id }))
    if (!read.ok) throw new Error(read.reason)
    return { ...read.line, proof: proveLine(read.line), explanations: [], notes: [] }
  })
  await withTenantSql(organizationId, (sql) => applyLines(sql, { ...owner, lines }))
  await keep()
})

const now = () =>
  withTenantSql(
    owner.organizationId,
    async (sql) =>
      (
        await sql<LedgerMoment>(`select ${MOMENT_COLUMNS} from connection where id = $1`, [owner.connectionId])
      )[0] as LedgerMoment,
  )
const keysOf = async (...ids: string[]) => {
  const rows = await database.query<{ key: string }>(
    `select ${keyOf('id')}::text as key from unnest($1::text[]) as id`,
    [ids],
  )
  return rows.map(({ key }) => BigInt(key))
}
async function keep(asOf?: LedgerMoment) {
  const page = {
    offset: 0,
    bodyHash: 'ab'.repeat(32),
    total: 2,
    keys: await keysOf('a', 'b'),
    asOf: asOf ?? (await now()),
  }
  await withTenantSql(owner.organizationId, (sql) => keepKnownPages(sql, owner, PLACE, [page]))
}
const known = async (place = PLACE, from = 0) => [
  ...(
    await withTenantSql(owner.organizationId, (sql) => listKnownPages(sql, owner, place, { from, before: 100 }))
  ).keys(),
]
const touch = (change: string, id: string) =>
  database.query(`update line set ${change} where connection_id = $1 and id = $2`, [owner.connectionId, id])

test('a page is known at its place, with its count and lines, until one of them is touched', async () => {
  const pages = await withTenantSql(owner.organizationId, (sql) =>
    listKnownPages(sql, owner, PLACE, { from: 0, before: 100 }),
  )
  expect(pages.get(0)).toMatchObject({ offset: 0, total: 2, bodyHash: 'ab'.repeat(32), keys: await keysOf('a', 'b') })
  expect(await known('another place')).toEqual([])
  expect(await known(PLACE, 10)).toEqual([])
  await touch('missing_since = now()', 'c')
  expect(await known()).toEqual([0])
  await touch('missing_since = now()', 'b')
  expect(await known()).toEqual([])
})

test.each([
  ['its text', `text_hash = '\\x00'`],
  ['its content', `content_hash = 'other'`],
  ['its missing mark', 'missing_since = now()'],
  ['its proof version', 'proof_version = proof_version + 1'],
])('changing a line (%s) makes its page unknown, in any statement', async (_, change) => {
  await touch(change, 'a')
  expect(await known()).toEqual([])
  // known again after being read again
  await keep()
  expect(await known()).toEqual([0])
})

test('a touch under way when the page was read and committed later makes it unknown', async () => {
  const other = new pg.Client(database.url)
  await other.connect()
  try {
    await other.query(`select set_config('tieout.scope', 'system', false)`)
    await other.query('begin')
    await other.query(`update line set missing_since = now() where connection_id = $1 and id = 'a'`, [
      owner.connectionId,
    ])
    await keep()
    expect(await known()).toEqual([0])
    await other.query('commit')
    expect(await known()).toEqual([])
  } finally {
    await other.end()
  }
})

test('a page is not known as of a moment before the last touch, nor before its own transaction’s touch', async () => {
  const before = await now()
  await touch('missing_since = null, text_hash = null', 'a')
  await keep(before)
  expect(await known()).toEqual([])
})

test('a later touch makes a page unknown even in a database copy, where transaction numbers restart', async () => {
  await touch('missing_since = now()', 'a')
  await database.query(`update line_touch set touched_in = '3' where connection_id = $1`, [owner.connectionId])
  expect(await known()).toEqual([])
})

/** On a cluster each node counts from a number of its own, and none is set at the coordinator. */
const testOfOne = test.skipIf(inject('testServer').nodes !== undefined)

/** As if the account had moved to a node. */
const moveTo = (node: number) => database.query(`select setval('line_touch_order', ($1::bigint << 48) + 1)`, [node])

testOfOne(
  'what was known on another node of a cluster is not known, nor a page touched there, and back neither',
  async () => {
    await moveTo(2)
    expect(await known()).toEqual([])
    await keep()
    expect(await known()).toEqual([0])
    await moveTo(1)
    await touch('missing_since = now()', 'a')
    // this node's transactions may be older by their number than any of the other's
    await database.query(`update line_touch set touched_in = '3' where connection_id = $1`, [owner.connectionId])
    await moveTo(2)
    expect(await known()).toEqual([])
  },
)

testOfOne('a commit takes every line for touched when its account has moved to another node meanwhile', async () => {
  const since = await now()
  const keys = await keysOf('a')
  await moveTo(3)
  expect(await withTenantSql(owner.organizationId, (sql) => isAnyTouched(sql, owner, since, () => keys))).toBe(true)
})

testOfOne('before the first touch on a node, what is known there is known, and stays so after it', async () => {
  await database.query(`alter sequence line_touch_order minvalue ${(2n << 48n) + 1n} start ${(2n << 48n) + 1n} restart`)
  await keep()
  expect(await known()).toEqual([0])
  await touch('missing_since = now()', 'c')
  expect(await known()).toEqual([0])
  await touch('missing_since = now()', 'a')
  expect(await known()).toEqual([])
})

test('deleting lines removes the known pages of their connection', async () => {
  await database.query(`delete from line where connection_id = $1 and id = 'c'`, [owner.connectionId])
  expect(await known()).toEqual([])
})

test('a commit sees touches since a moment, by others and itself, of its own lines only', async () => {
  const since = await now()
  const isTouched = async (id: string) => {
    const keys = await keysOf(id)
    return withTenantSql(owner.organizationId, (sql) => isAnyTouched(sql, owner, since, () => keys))
  }
  expect(await isTouched('a')).toBe(false)
  await touch('missing_since = now()', 'a')
  expect([await isTouched('a'), await isTouched('b')]).toEqual([true, false])
  const keys = await keysOf('b')
  const own = await withTenantSql(owner.organizationId, async (sql) => {
    await sql(`update line set missing_since = now() where connection_id = $1 and id = 'b'`, [owner.connectionId])
    return isAnyTouched(sql, owner, since, () => keys)
  })
  expect(own).toBe(true)
})
