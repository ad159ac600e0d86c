import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseBatch } from '#lib/connections/life/disconnect-erase.ts'
import { listKeptAnswers } from '#lib/db/kept-answers.ts'
import { applyPrograms, readSources, toPrograms } from '#lib/db/programs.ts'
import { grantAccess } from '#lib/db/roles.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { makeVariedLines } from '../test-support/seed-varied-lines.ts'
import { compareFigures, repairFigures } from './compare-figures.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** All that the database needs for one more: how many lines of each currency, and their sum. */
const CURRENCY_SUMS = `
CREATE TABLE IF NOT EXISTS currency_sum (
  organization_id uuid NOT NULL,
  connection_id   uuid NOT NULL,
  currency        text NOT NULL,
  line_count      bigint NOT NULL,
  total_amount    numeric NOT NULL,
  PRIMARY KEY (organization_id, connection_id, currency)
);
CREATE FUNCTION computed_currency_sum(organization uuid, connection uuid) RETURNS SETOF currency_sum LANGUAGE sql STABLE AS $$
  SELECT organization_id, connection_id, currency, count(*), sum(total_amount) FROM line
  WHERE organization_id = organization AND connection_id = connection AND missing_since IS NULL GROUP BY 1, 2, 3
$$;
CREATE FUNCTION add_to_currency_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes currency_sum[];
BEGIN
  SELECT array_agg(change) INTO changes FROM (
    SELECT ROW(organization_id, connection_id, currency, count(*) * TG_ARGV[0]::int, sum(total_amount) * TG_ARGV[0]::int)::currency_sum
    FROM touched WHERE missing_since IS NULL GROUP BY organization_id, connection_id, currency) AS c (change);
  INSERT INTO currency_sum AS s SELECT * FROM unnest(changes) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, connection_id, currency) DO UPDATE SET line_count = s.line_count + excluded.line_count,
    total_amount = s.total_amount + excluded.total_amount;
  DELETE FROM currency_sum s USING unnest(changes) c
  WHERE s.organization_id = c.organization_id AND s.connection_id = c.connection_id AND s.currency = c.currency AND s.line_count = 0;
  RETURN NULL;
END $$;
${[
  ['added', 'INSERT', 'NEW', 1],
  ['removed', 'DELETE', 'OLD', -1],
  ['changed_from', 'UPDATE', 'OLD', -1],
  ['changed_to', 'UPDATE', 'NEW', 1],
]
  .map(
    ([name, event, side, sign]) => `-- Fires last.
CREATE TRIGGER currency_sum_${name} AFTER ${event} ON line REFERENCING ${side} TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_currency_sums('${sign}');`,
  )
  .join('\n')}
SELECT keep_answer('currency_sum');
`

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let other: OrganizationId

beforeAll(async () => {
  database = await createTestDatabase('worker')
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  await seedLines(organizationId, connectionId, makeVariedLines(60))
  other = (await seedOrganization(database.query, 'Other')).organizationId
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const programs = toPrograms(`${readSources(ROOT)}\n${CURRENCY_SUMS}`)
  await applyPrograms(client, programs)
  // a start with the same files, and one with others, keep what there is
  await applyPrograms(client, programs)
  await client.end()
  const nameOf = (url: string) => new URL(url).username
  await grantAccess(database.url, { web: nameOf(database.urls.web), worker: nameOf(database.urls.worker) })
})
afterAll(() => database.drop())

const compare = () => compareFigures(organizationId, connectionId)
const readSums = (of: OrganizationId) => withTenantSql(of, (sql) => sql('select * from currency_sum order by currency'))

test('a kept answer is one file for the database: its table is made, filled, and known', async () => {
  expect(await listKeptAnswers(database.query)).toContainEqual({ table: 'currency_sum', key: ['currency'] })
  expect((await readSums(organizationId)).length).toBeGreaterThan(1)
  expect(await compare()).toEqual([])
})

test('A9: it is hidden from every other organization, and each process may keep it', async () => {
  expect(await readSums(other)).toEqual([])
  for (const role of ['web', 'worker'] as const) {
    const [{ rights } = { rights: '' }] = await database.query<{ rights: string }>(
      `select string_agg(privilege_type, ' ' order by privilege_type) as rights from information_schema.table_privileges
       where table_name = 'currency_sum' and grantee = $1`,
      [new URL(database.urls[role]).username],
    )
    expect(rights, role).toBe('DELETE INSERT SELECT UPDATE')
  }
})

test('it follows what is written, and a wrong row is named by the doctor and made anew', async () => {
  await seedLines(organizationId, connectionId, makeVariedLines(90))
  await withTenantSql(organizationId, (sql) =>
    sql(`update line set missing_since = now() where id in (select id from line order by id limit 7)`),
  )
  expect(await compare()).toEqual([])
  await database.query(`update currency_sum set total_amount = total_amount + 0.01 where currency = 'EUR'`)
  const found = await compare()
  expect(found).toMatchObject([{ name: 'currency sum', key: '["EUR"]' }])
  await repairFigures(organizationId, connectionId, { kind: 'operator', name: 'doctor' }, found)
  expect(await compare()).toEqual([])
})

test('it goes when the data of its account is deleted, also rows that nothing else takes away', async () => {
  await database.query(
    `insert into currency_sum (organization_id, connection_id, currency, line_count, total_amount) values ($1, $2, 'XXX', 1, 1)`,
    [organizationId, connectionId],
  )
  const [wish] = await database.query<{ id: string }>(
    `insert into disconnection (organization_id, connection_id, data_choice, requested_by)
     select organization_id, $2::uuid, 'delete', id from app_user where organization_id = $1 returning id`,
    [organizationId, connectionId],
  )
  const claimed = { organizationId, connectionId, id: wish?.id ?? '', dataChoice: 'delete', fence: '0' } as const
  while (await eraseBatch({ ...claimed, outcome: null, attempts: 0 }, 60)) {
    // as the worker does, until nothing is left
  }
  expect(await database.query('select * from currency_sum')).toEqual([])
})
