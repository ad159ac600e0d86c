/**
 * What a distributed engine would refuse of the catalog and of the sources, found on any PostgreSQL
 * (docs/decisions/067-one-form-for-two-engines.md). Each finder says what stands in the way, one
 * text for each place; nothing is found where all is well.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>

const listNames = async (query: Query, text: string, values?: unknown[]) =>
  (await query<{ name: string }>(text, values)).map(({ name }) => name)

/** Unique indexes of these tables that do not contain the organization: no node could keep them. */
export function listLooseKeys(query: Query, tables: readonly string[]): Promise<string[]> {
  return listNames(
    query,
    `select c.relname || ': ' || i.indexrelid::regclass as name from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relname = any ($1) and i.indisunique
       and not exists (select from unnest(i.indkey) k join pg_attribute a on a.attrelid = c.oid and a.attnum = k
                       where a.attname = 'organization_id')
     order by 1`,
    [tables],
  )
}

/**
 * Foreign keys of these tables that do not lead from the organization to the same organization, or
 * that would empty it.
 */
export function listLooseReferences(query: Query, tables: readonly string[]): Promise<string[]> {
  return listNames(
    query,
    `select c.relname || ': ' || k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.relname = any ($1)
       and not (k.confdeltype <> all ('{n,d}') or k.confdelsetcols is not null and not exists (
                  select from unnest(k.confdelsetcols) each join pg_attribute a on a.attrelid = c.oid and a.attnum = each
                  where a.attname = 'organization_id'))
       or k.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.relname = any ($1)
       and not exists (
         select from unnest(k.conkey, k.confkey) as pair (mine, theirs)
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.mine and a.attname = 'organization_id'
         join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.theirs
           and b.attname = case k.confrelid when 'organization'::regclass then 'id' else 'organization_id' end)
     order by 1`,
    [tables],
  )
}

/**
 * The two values that policies ask for once per statement, where that is no cluster: asked for each
 * row, they would make a look at a million lines three times as long (decision 067). `npm run
 * migrate -- --citus` takes the `SELECT` away.
 */
const ASKED_ONCE = [
  `( SELECT (NULLIF(current_setting('tieout.organization_id'::text, true), ''::text))::uuid AS "nullif")`,
  `( SELECT current_setting('tieout.scope'::text, true) AS current_setting)`,
]

/** Policies with a subquery, but for one of `ASKED_ONCE`, which reads no table. */
export async function listPoliciesWithSubquery(query: Query): Promise<string[]> {
  const rows = await query<{ name: string; text: string }>(
    `select tablename || ': ' || policyname as name, coalesce(qual, '') || ' ' || coalesce(with_check, '') as text
     from pg_policies where schemaname = 'public' order by 1`,
  )
  const isLeft = (text: string) =>
    /\bselect\b/i.test(ASKED_ONCE.reduce((left, asked) => left.replaceAll(asked, ''), text))
  return rows.filter(({ text }) => isLeft(text)).map(({ name }) => name)
}

/**
 * Trigger functions with a statement that names a transition table and a real one, be it to write
 * or to read it: on a shard the first is then not found. It is read into a value by itself.
 */
export async function listTransitionWriters(query: Query): Promise<string[]> {
  const real = await listNames(
    query,
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  const rows = await query<{ name: string; body: string; tables: string[] }>(
    `select p.proname as name, p.prosrc as body, array_agg(distinct each) as tables
     from pg_proc p join pg_trigger t on t.tgfoid = p.oid
     cross join lateral unnest(array[t.tgoldtable, t.tgnewtable]::text[]) each
     where p.pronamespace = 'public'::regnamespace and not t.tgisinternal and each is not null
     group by p.oid order by 1`,
  )
  const naming = (tables: string[]) => new RegExp(`\\b(from|join|using|into|update)\\s+(${tables.join('|')})\\b`, 'i')
  return rows.flatMap(({ name, body, tables }) =>
    listStatements(body)
      .filter((statement) => naming(tables).test(statement) && naming(real).test(statement))
      .map((statement) => `${name}: ${statement.slice(0, 60)}`),
  )
}

/** The statements of a function's body, without comments, on one line each. */
export function listStatements(body: string): string[] {
  return body
    .replaceAll(/--.*$/gm, '')
    .split(/;|\b(?:then|else|begin|loop)\b(?=\s*\n)/i)
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
}

export type Source = { path: string; text: string }

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** What runs in production and sends statements: TypeScript and the programs of the database. */
export function listSources(): Source[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'app', 'lib', 'prisma'], { cwd: root })
    .toString()
    .split('\n')
    .filter(
      (path) =>
        /\.(tsx?|sql)$/.test(path) &&
        !/\.test\.tsx?$|\/test-support\/|^lib\/(soak|bench|world|sandbox)\//.test(path) &&
        // what was applied before this rule is never applied to a cluster that holds rows
        !(path.startsWith('prisma/migrations/') && path < 'prisma/migrations/20261129200000'),
    )
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}

/** Functions of PostgreSQL, and of ours, that may answer differently within one statement. */
export function listVolatileFunctions(query: Query): Promise<string[]> {
  return listNames(
    query,
    `select distinct p.proname as name from pg_proc p
     where p.provolatile = 'v' and p.prorettype <> 'trigger'::regtype
       and (p.pronamespace = 'public'::regnamespace
            or p.proname in ('clock_timestamp', 'timeofday', 'random', 'gen_random_uuid', 'nextval', 'set_config', 'pg_notify'))`,
  )
}

const CLAUSE =
  /\b(where|having|set|values|select|returning|perform|execute|raise|return|function)\b|\bon\b(?!\s+conflict)/gi

/** Places where a function that may answer differently each time decides which rows are meant. */
export function listVolatileConditions(sources: Source[], functions: readonly string[]): string[] {
  const called = new RegExp(`\\b(${functions.join('|')})\\(`, 'g')
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(called)]
      .filter(({ index }) => isCondition(text.slice(startOf(path, text, index), index)))
      .map(({ index, 1: name }) => `${path}:${text.slice(0, index).split('\n').length}: ${name}`),
  )
}

/** Where the statement, or the part of one, begins. */
function startOf(path: string, text: string, index: number): number {
  return text.lastIndexOf(path.endsWith('.sql') ? ';' : '`', index) + 1
}

/** Whether what comes next stands in a WHERE, HAVING or ON; `before` is what the statement says. */
function isCondition(before: string): boolean {
  const clause = [...withoutClosed(before).matchAll(CLAUSE)].at(-1)?.[0].toLowerCase()
  // a part of a statement that others put after WHERE
  if (clause === undefined) return /[<>]=?\s*$/.test(before)
  return clause === 'where' || clause === 'having' || clause === 'on'
}

/** Without what stands in parentheses that are closed: a WHERE in there is over. */
function withoutClosed(text: string): string {
  let left = text.replaceAll(/--.*$/gm, '').replaceAll(/\$\{[^{}]*\}/g, '')
  for (let before = ''; before !== left; ) {
    before = left
    left = left.replaceAll(/\([^()]*\)/g, '')
  }
  return left
}

/** Upserts whose changes ask a clock: `excluded` has what the column’s default answered. */
export function listClocksInUpserts(sources: Source[]): string[] {
  const clock =
    /\bdo\s+update\s+set\b(?:(?!\bwhere\b|\breturning\b|`)[\s\S])*?\b(?:now|clock_timestamp|statement_timestamp)\(\)/gi
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(clock)].map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
  )
}

/** Values of an INSERT that are looked up or chosen within it: a shard takes none of either. */
export function listComputedValues(sources: Source[]): string[] {
  const values = /\binsert\s+into\b[^;`]*?\bvalues\s*\((?:[^()`;]|\((?!\s*select\b)[^()`;]*\))*?\(\s*select\b/gi
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(values)].map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
  )
}

/**
 * Rows that a SELECT adds to an organization's table, where the statement neither gives any back
 * nor takes conflicts: a cluster would copy them in, which no role under policies may.
 */
export function listSilentInserts(sources: Source[], tables: readonly string[]): string[] {
  const insert =
    /\binsert\s+into\s+(\w+|\$\{\w+\})(?:(?!\binsert\s+into\b|\breturning\b|\bon\s+conflict\b)[^;`])*(?=(.?))/g
  return sources
    .filter(({ path }) => !path.endsWith('.sql'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(insert)]
        .filter(({ 0: said, 1: table, index = 0 }) => {
          const isSelected = /\bselect\b/i.test(said) && !/\bvalues\b/i.test(said)
          const next = text.slice(index + said.length)
          return (
            isSelected &&
            (tables.includes(table ?? '') || table?.startsWith('$')) &&
            !/^(returning|on\s+conflict)\b/.test(next)
          )
        })
        .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
    )
}

/** Times that a CASE or COALESCE of what is written chooses: a cluster asks no clock there. */
export function listChosenClocks(sources: Source[]): string[] {
  const set = /\bupdate\s+\w+(?:\s+\w+)?\s+set\b(?:(?!\bwhere\b|\bfrom\b|\breturning\b|`)[\s\S])*/gi
  const chosen =
    /\bcase\b(?:(?!\bend\b)[\s\S])*?\w\(\)(?=(?:(?!\bcase\b)[\s\S])*?\bend\b)|\bcoalesce\((?:[^()]|\([^()]*\))*?\b(?:now|\w+_timestamp)\(\)/i
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(set)]
      .filter(([said]) => chosen.test(said))
      .map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
  )
}

/**
 * Functions in SQL with parameters that name a table, and that a trigger function calls, itself or
 * by another: a cluster plans such a statement without knowing whose rows are meant. One in
 * PL/pgSQL knows.
 */
export function listBlindFunctions(query: Query, tables: readonly string[]): Promise<string[]> {
  return listNames(
    query,
    `with recursive own as (
       select p.oid, p.proname as name, p.prosrc as body, p.pronargs, l.lanname, p.prorettype = 'trigger'::regtype as is_trigger
       from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = 'public'::regnamespace),
     called as (
       select oid, body from own where is_trigger
       union select o.oid, o.body from called c join own o on not o.is_trigger and c.body ~ ('\\m' || o.name || '\\('))
     select o.name from own o join called using (oid)
     where o.lanname = 'sql' and o.pronargs > 0
       and o.body ~* ('\\m(from|join|into|update)\\s+(' || array_to_string($1::text[], '|') || ')\\M')
     order by 1`,
    [tables],
  )
}

/** Trigger functions that take the name of a part of a table for that of the table. */
export function listNamesOfShards(sources: Source[]): string[] {
  return sources
    .filter(({ path, text }) => path.endsWith('.sql') && /(?<!table_of_shard\()\bTG_TABLE_NAME\b/.test(text))
    .map(({ path }) => path)
}

/**
 * Places that set what policies or triggers ask for by a function: a cluster passes on what `SET
 * LOCAL` says, and nothing else.
 */
export function listScopesByFunction(sources: Source[]): string[] {
  return sources
    .filter(({ text }) => /\bset_config\s*\(/i.test(text.replaceAll(/(\/\*[\s\S]*?\*\/|^\s*\/\/.*$|--.*$)/gm, '')))
    .map(({ path }) => path)
}

/** Files with a statement over the rows of several organizations at once. */
export function listAcross(sources: Source[]): string[] {
  return sources
    .filter(({ path, text }) => /\bwithSystem(Sql)?\b/.test(text) && !/^lib\/(cli|db)\//.test(path))
    .map(({ path }) => path)
    .sort()
}
