/**
 * Whether the catalog and the statements keep to what works on one PostgreSQL and on a cluster
 * (docs/decisions/067-one-form-for-two-engines.md).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test-support/test-database.ts'
import { listPlaced } from './places.ts'
import {
  listBlindFunctions,
  listChosenClocks,
  listClocksInUpserts,
  listComputedValues,
  listLooseKeys,
  listLooseReferences,
  listNamesOfShards,
  listPoliciesWithSubquery,
  listScopesByFunction,
  listSilentInserts,
  listSources,
  listTransitionWriters,
  listVolatileConditions,
  listVolatileFunctions,
} from './test-support/test-readiness.ts'
import {
  listAskedPerRow,
  listCopiesChangedByOthers,
  listHeldCopies,
  listRowsHandedOn,
  listWorkedOutReturns,
  listWrittenClocks,
} from './test-support/test-written-forms.ts'

let database: TestDatabase
const sources = listSources()

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('every unique index of an organization’s table contains the organization', async () => {
  expect(await listLooseKeys(database.query, listPlaced('organization'))).toEqual([])
})

test('every foreign key of an organization’s table leads to the same organization', async () => {
  expect(await listLooseReferences(database.query, listPlaced('organization'))).toEqual([])
})

test('no policy has a subquery', async () => {
  expect(await listPoliciesWithSubquery(database.query)).toEqual([])
})

test('no trigger function reads its transition table in a statement that names another table', async () => {
  expect(await listTransitionWriters(database.query)).toEqual([])
})

test('whose rows a transaction may see is set by SET LOCAL, and by no function', () => {
  expect(listScopesByFunction(sources)).toEqual([])
})

test('no function that may answer differently each time says which rows are meant', async () => {
  expect(listVolatileConditions(sources, await listVolatileFunctions(database.query))).toEqual([])
})

test('a trigger that several tables share asks for the table, and not for the part that it runs on', () => {
  expect(listNamesOfShards(sources)).toEqual([])
})

test('an upsert asks no clock, and what an INSERT writes is looked up before it', () => {
  expect(listClocksInUpserts(sources)).toEqual([])
  expect(listComputedValues(sources)).toEqual([])
})

test('rows that a SELECT adds are given back or take conflicts, so that no cluster copies them in', () => {
  expect(listSilentInserts(sources, listPlaced('organization'))).toEqual([])
})

test('what a trigger asks of a table by parameters is asked in PL/pgSQL', async () => {
  expect(await listBlindFunctions(database.query, listPlaced('organization'))).toEqual([])
})

test('no time is chosen by CASE or COALESCE where it is written', () => {
  expect(listChosenClocks(sources)).toEqual([])
})

test('a time that is written is the statement’s, and not each row’s', () => {
  expect(listWrittenClocks(sources, listPlaced('local'))).toEqual([])
})

test('what a statement that writes gives back is as it stands there, and wakes nobody', () => {
  expect(listWorkedOutReturns(sources)).toEqual([])
})

test('no trigger locks a row that every node has, and nobody an organization as no foreign key allows', () => {
  expect(listHeldCopies(sources, listPlaced('reference'))).toEqual([])
})

test('what every node has a copy of is changed without another table', () => {
  expect(listCopiesChangedByOthers(sources, listPlaced('reference'))).toEqual([])
})

test('no statement hands a row of a table to a function', async () => {
  expect(await listRowsHandedOn(database.query, sources)).toEqual([])
})

test('a function of the database calls none that asks a table for each row of another', async () => {
  expect(await listAskedPerRow(database.query, listPlaced('organization'))).toEqual([])
})

test.each([
  ['rows from a SELECT', '`insert into line (id) select id from pg_temp.staged_line`', 1],
  [
    'rows from a SELECT that are given back',
    '`insert into line (id) select id from pg_temp.staged_line returning 1`',
    0,
  ],
  ['rows that take conflicts', '`insert into line as l select id from staged on conflict (id) do nothing`', 0],
  ['one row of values', '`insert into line (id) values ($1)`', 0],
  ['rows of a table of the coordinator', '`insert into throttle (kind) select $1`', 0],
])('tells rows that a cluster would copy in: %s', (_, text, count) => {
  expect(listSilentInserts([{ path: 'a.ts', text }], listPlaced('organization'))).toHaveLength(count)
})

test.each([
  ['a first time', '`update sync_run set started_at = coalesce(started_at, now()) where id = $1`', 1],
  ['a time under a condition', '`update sync_run set ended_at = case when $1 then now() end where id = $1`', 1],
  ['a time', '`update sync_run set started_at = least(started_at, now()) where id = $1`', 0],
  ['a time and a condition', `\`update sync_run set ended_at = now() + case when $1 then interval '0' end\``, 0],
])('tells a time that is chosen where it is written: %s', (_, text, count) => {
  expect(listChosenClocks([{ path: 'a.ts', text }])).toHaveLength(count)
})

test.each([
  ['a clock', '`update pack set ended_at = clock_timestamp() where id = $1`', 1],
  ['a lease', "hold: `lease_until = clock_timestamp() + interval '1 minute'`", 1],
  ['a time of the statement', '`update pack set ended_at = statement_timestamp() where id = $1`', 0],
  ['a clock at the coordinator', '`update throttle t set counted_at = clock_timestamp() from n`', 0],
])('tells a clock that is written: %s', (_, text, count) => {
  expect(listWrittenClocks([{ path: 'a.ts', text }], listPlaced('local'))).toHaveLength(count)
})

test.each([
  ['a time as JSON', '`insert into sign_off (id) values ($1) returning id, to_json(at) as at`', 1],
  ['a notification', "`select id, pg_notify('tieout_wake', '') from queued`", 1],
  ['a part that is made by a function', '`update user_session set ended_at = $1 returning ${isLive(2)} as live`', 1],
  ['columns', '`insert into sign_off (id) values ($1) returning id, at`', 0],
  ['what is counted beside it', '`with gone as (delete from line returning id) select to_json(count(*)) from gone`', 0],
  ['a notification of its own', "`select pg_notify('tieout_wake', '')`", 0],
])('tells what a statement works out as it writes: %s', (_, text, count) => {
  expect(listWorkedOutReturns([{ path: 'a.ts', text }])).toHaveLength(count)
})

test.each([
  ['a.sql', 'PERFORM FROM organization WHERE id = NEW.organization_id FOR KEY SHARE;', 1],
  ['a.sql', 'SELECT name INTO found FROM app_user WHERE id = NEW.person; PERFORM FROM line FOR UPDATE;', 0],
  ['a.ts', "'select from organization where id = $1 for update'", 1],
  ['a.ts', "'select from organization where id = $1 for no key update'", 0],
])('tells a lock of what every node has: %s, %s', (path, text, count) => {
  expect(listHeldCopies([{ path, text }], listPlaced('reference'))).toHaveLength(count)
})

test('notices a row that is handed to a function, and a function that asks a table for each row', async () => {
  await database.query(
    'create function name_of(c connection) returns text language sql immutable as $$ select c.name $$',
  )
  const calls = [{ path: 'a.ts', text: '`select name_of(c) from connection c`' }]
  expect(await listRowsHandedOn(database.query, calls)).toEqual(['a.ts: name_of'])
  await database.query(`create function has_lines(owner uuid) returns boolean language plpgsql stable as $$
    begin return exists (select from line where organization_id = owner); end $$`)
  await database.query(`create function note_those() returns void language plpgsql as $$
    begin
      update connection set name = 'full' where has_lines(organization_id);
    end $$`)
  expect(await listAskedPerRow(database.query, listPlaced('organization'))).toEqual([
    expect.stringContaining('note_those: update connection'),
  ])
})

test('notices a function in SQL that a trigger calls to ask a table', async () => {
  await database.query(
    'create function count_of(owner uuid) returns bigint language sql stable as $$ select count(*) from line where organization_id = owner $$',
  )
  await database.query(`create function asks() returns trigger language plpgsql as $$
    begin perform count_of(new.organization_id); return null; end $$`)
  expect(await listBlindFunctions(database.query, listPlaced('organization'))).toEqual(['count_of'])
})

test('notices a key without the organization, a policy with a subquery, and a trigger that writes from its rows', async () => {
  await database.query('create unique index loose on line (id)')
  await database.query('drop policy organization_only on line')
  await database.query(
    'create policy organization_only on line using (organization_id in (select id from organization))',
  )
  await database.query(`create function from_rows() returns trigger language plpgsql as $$
    begin
      insert into line_touch select organization_id, connection_id, 1, pg_current_xact_id(), 1 from added;
      return null;
    end $$`)
  await database.query(
    'create trigger t99_from_rows after insert on line referencing new table as added for each statement execute function from_rows()',
  )
  expect(await listLooseKeys(database.query, listPlaced('organization'))).toEqual(['line: loose'])
  expect(await listPoliciesWithSubquery(database.query)).toEqual(['line: organization_only'])
  expect(await listTransitionWriters(database.query)).toEqual([expect.stringContaining('from_rows: insert into')])
})

test.each([
  ['where', '`delete from line where changed_at < clock_timestamp()`', 1],
  ['a part of a condition', '`state is null and mailed_at <= clock_timestamp()`', 1],
  ['a join', '`select from line l join invoice i on i.changed_at > clock_timestamp()`', 1],
  ['a subquery', '`select (select count(*) from line where changed_at < clock_timestamp())`', 1],
  ['what is said', '`select changed_at < clock_timestamp() as "isOld" from line where id = $1`', 0],
  ['what is written', '`update line set changed_at = clock_timestamp() where id = $1`', 0],
  ['after a condition that is over', '`select (select 1 from line where id = $1), clock_timestamp()`', 0],
])('tells a clock that chooses rows from one that does not: %s', (_, text, count) => {
  expect(listVolatileConditions([{ path: 'a.ts', text }], ['clock_timestamp'])).toHaveLength(count)
})
