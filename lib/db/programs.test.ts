import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, PROGRAMS, readSchemaState } from './migrate.ts'
import { nameTriggers, readPrograms, readSources, splitStatements } from './programs.ts'
import { createTestDatabase, type TestDatabase } from './test-support/test-database.ts'
import { TRIGGER_ORDER } from './trigger-order.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MIGRATIONS = join(ROOT, 'prisma', 'migrations')
const programs = readPrograms(ROOT)

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const isCurrent = async () => (await readSchemaState(database.url, MIGRATIONS, programs)).pending
const functionNames = async () =>
  (
    await database.query(`select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`)
  ).map(({ name }) => name)

test('the database has exactly the functions and triggers of the files', async () => {
  expect(await isCurrent()).toEqual([])
  const made = [...programs.sql.matchAll(/^CREATE FUNCTION (\w+)/gm)].map(([, name]) => name)
  expect(await functionNames()).toEqual([...made, 'to_stated_taxes', 'to_tax_figures'].sort())
})

test.each([
  [
    'changed',
    `create or replace function to_ten_days(day date) returns date language sql immutable parallel safe return day`,
  ],
  ['added', `create function somebody_else() returns int language sql as 'select 1'`],
  ['taken out', 'drop trigger t10_roll_up_added on line'],
  ['turned off', 'alter table line disable trigger t10_roll_up_added'],
])('one that somebody %s by hand is found, and put right by the next migration', async (_, sql) => {
  const before = await functionNames()
  await database.query(sql)
  expect(await isCurrent()).toEqual([PROGRAMS])
  expect(await migrate(database.url, MIGRATIONS, programs)).toEqual([PROGRAMS])
  expect(await isCurrent()).toEqual([])
  expect(await functionNames()).toEqual(before)
  expect(await migrate(database.url, MIGRATIONS, programs)).toEqual([])
})

test('the files are taken statement by statement, as a cluster needs it, and nothing of them is left out', () => {
  const { sql } = programs
  const statements = splitStatements(sql)
  const toPlain = (text: string) => text.replaceAll(/\s+/g, '')
  expect(toPlain(statements.join(''))).toBe(toPlain(sql))
  const begins = statements.map((statement) => statement.replaceAll(/^(\s|--.*\n)+/g, '').split(/\s/)[0])
  expect([...new Set(begins)].sort()).toEqual(['CREATE', 'REVOKE', 'SELECT'])
  expect(splitStatements(`-- a;b\nselect ';''' , $x$;$y$;$x$ - 1; do $$ ; $$;`)).toEqual([
    `-- a;b\nselect ';''' , $x$;$y$;$x$ - 1;`,
    'do $$ ; $$;',
  ])
  expect(() => splitStatements('select 1; select 2')).toThrow('no semicolon: select 2')
})

test('triggers of a table fire in the order that is declared', async () => {
  const rows = await database.query<{ owner: string; names: string[] }>(
    `select tgrelid::regclass::text as owner, array_agg(tgname::text order by tgname) as names
     from pg_trigger where not tgisinternal group by 1`,
  )
  const found = Object.fromEntries(
    rows.map(({ owner, names }) => [
      owner,
      names.flatMap((name) => (name.startsWith('t99_') ? [] : name.replace(/^t\d\d_/, ''))),
    ]),
  )
  expect(found).toEqual(TRIGGER_ORDER)
})

test('where lines come or go, the lock of the tally is taken before sums and comparisons are written', () => {
  const place = (name: string) => TRIGGER_ORDER.line?.indexOf(name) ?? -1
  for (const event of ['added', 'removed']) {
    expect(place(`line_tally_${event}`), event).toBeGreaterThanOrEqual(0)
    for (const later of ['roll_up', 'to_compare'])
      expect(place(`line_tally_${event}`), `${later}_${event}`).toBeLessThan(place(`${later}_${event}`))
  }
})

test('a trigger without a place in the order is refused, and so is a place without a trigger', () => {
  const more = `${readSources(ROOT)}\nCREATE TRIGGER one_more AFTER INSERT ON line FOR EACH ROW EXECUTE FUNCTION x();`
  expect(() => nameTriggers(more)).toThrow('The trigger one_more of line has no place')
  expect(() => nameTriggers(readSources(ROOT).replaceAll('CREATE TRIGGER note_touch', '-- '))).toThrow(
    'No file makes these triggers of lib/db/trigger-order.ts: note_touch line.',
  )
  const last = more.replace('CREATE TRIGGER one_more', '-- Fires last.\nCREATE TRIGGER one_more')
  expect(nameTriggers(last)).toContain('CREATE TRIGGER t99_one_more AFTER INSERT ON line')
})

test('no migration makes a function or trigger, but for what defines columns', () => {
  const made = readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .flatMap((path) => [
      ...readFileSync(join(MIGRATIONS, path), 'utf8').matchAll(
        /^\s*CREATE (?:OR REPLACE )?(?:FUNCTION|TRIGGER) (\w+)/gim,
      ),
    ])
  expect(made.map(([, name]) => name)).toEqual(['to_tax_figures', 'to_stated_taxes'])
})

test('a trigger reads the rows of its statement alone, in a statement that names no table', () => {
  expect(listEntangled(readSources(ROOT), TABLES)).toEqual([])
})

test.each([
  ['writes from them', 'INSERT INTO line_rollup SELECT * FROM added;'],
  ['joins them with a table', 'SELECT count(*) INTO n FROM added a JOIN invoice i USING (id);'],
  ['asks them beside a table', 'UPDATE connection c SET name = NULL WHERE c.id IN (SELECT connection_id FROM added);'],
])('a trigger that %s is found', (_, statement) => {
  const text = `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT array_agg(ROW(id)::line) INTO rows FROM added;
      ${statement}
    END $$;
    CREATE TRIGGER one AFTER INSERT ON line REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION f();`
  expect(listEntangled(text, TABLES)).toEqual([`f: ${statement.slice(0, -1)}`])
})

const TABLES = [
  ...`${readFileSync(join(MIGRATIONS, '20261126000000_baseline', 'migration.sql'), 'utf8')}\n${readSources(ROOT)}`.matchAll(
    /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm,
  ),
].map(([, name]) => name as string)

/**
 * The statements of trigger functions that read a transition table and name another table as well:
 * they work in PostgreSQL, and not where tables are distributed (docs/decisions/043).
 */
function listEntangled(text: string, tables: readonly string[]): string[] {
  const transitions = new Map<string, Set<string>>()
  for (const [, references, owner] of text.matchAll(
    /REFERENCING ((?:(?:OLD|NEW) TABLE AS \w+\s*)+)[^;]*?EXECUTE FUNCTION (\w+)/g,
  )) {
    const names = transitions.get(owner as string) ?? new Set()
    for (const [, name] of (references as string).matchAll(/TABLE AS (\w+)/g)) names.add(name as string)
    transitions.set(owner as string, names)
  }
  return [...transitions].flatMap(([owner, names]) => {
    const [, body = ''] = new RegExp(`CREATE FUNCTION ${owner}\\(\\)[^$]*\\$\\$(.*?)\\$\\$`, 's').exec(text) ?? []
    const reads = (statement: string, relations: Iterable<string>) =>
      new RegExp(`\\b(FROM|JOIN|USING|INTO|UPDATE|,)\\s+(${[...relations].join('|')})\\b(?!\\()`).test(statement)
    return body
      .replaceAll(/--.*$/gm, '')
      .split(/;|\bLOOP\b/)
      .map((statement) => statement.trim())
      .filter((statement) => reads(statement, names) && reads(statement.replaceAll(/::\w+/g, ''), tables))
      .map((statement) => `${owner}: ${statement}`)
  })
}
