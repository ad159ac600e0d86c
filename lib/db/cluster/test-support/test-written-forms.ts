/**
 * What a distributed engine would refuse of statements that write, and of what triggers ask
 * (docs/decisions/067-one-form-for-two-engines.md). Each finder says what stands in the way, one
 * text for each place; nothing is found where all is well.
 */
import { listStatements, type Query, type Source } from './test-readiness.ts'

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

/**
 * Changes of rows that ask a clock for each row, be it in an UPDATE or in what holds a row of work
 * (lib/db/work/claim.ts). @param local Tables of the coordinator alone, where one may.
 */
export function listWrittenClocks(sources: Source[], local: readonly string[]): string[] {
  const set = /\bupdate\s+([\w${}]+)(?:\s+(?:as\s+)?\w+)?\s+set\b(?:(?!\bwhere\b|\bfrom\b|\breturning\b|[`;])[\s\S])*/gi
  const hold = /\bhold:\s*`([^`]*)`/g
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(set), ...text.matchAll(hold)]
      .filter(([said, table]) => /\bclock_timestamp\(\)/.test(said) && !local.includes(table ?? ''))
      .map(({ index }) => `${path}:${lineOf(text, index)}`),
  )
}

/**
 * Statements that give back, or select beside what they write, what no node may work out: a time
 * that is written as JSON depends on settings, and a notification is heard at the coordinator.
 */
export function listWorkedOutReturns(sources: Source[]): string[] {
  const returning =
    /\breturning\b(?:(?!\bselect\b|\)\s*select\b)[^`;])*?(?:\b(?:to_jsonb?|to_char|now|pg_notify)|\$\{\w+)\(/gi
  const notice = /\bpg_notify\(/g
  return sources.flatMap(({ path, text }) => {
    const returned = [...text.matchAll(returning)]
    const noticed = [...text.matchAll(notice)].filter(({ index }) => !/`select $/.test(text.slice(0, index)))
    return [...returned, ...noticed].map(({ index }) => `${path}:${lineOf(text, index)}`)
  })
}

/**
 * Programs that lock rows of a table that every node has: the lock is asked for at the first one,
 * and all writers of the others would wait for it. And statements that lock an organization as no
 * foreign key allows, for which each of them would wait.
 */
export function listHeldCopies(sources: Source[], copies: readonly string[]): string[] {
  const lock = new RegExp(
    `\\bfrom\\s+(?:${copies.join('|')})\\b[^;\`']*\\bfor\\s+(?:update|no\\s+key\\s+update|share|key\\s+share)\\b`,
    'gi',
  )
  const whole = /\bfrom\s+organization\s+where\s[^;`']*\bfor\s+(?:update|share)\b/gi
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(path.endsWith('.sql') ? lock : whole)].map(({ index }) => `${path}:${lineOf(text, index)}`),
  )
}

/**
 * Changes of a table that every node has, by what another table says: where that one is the
 * coordinator's alone, a cluster's process ends for good (seen with Citus 13.2.2).
 */
export function listCopiesChangedByOthers(sources: Source[], copies: readonly string[]): string[] {
  const change = new RegExp(
    `\\b(?:update|delete\\s+from)\\s+(?:${copies.join('|')})\\b[^;\`']*?\\b(?:from|using|join)\\s+[a-z_]\\w*`,
    'gi',
  )
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(change)].map(({ index }) => `${path}:${lineOf(text, index)}`),
  )
}

/**
 * Statements outside of triggers that hand a row of a table to a function: on a cluster the row is
 * of a part of the table, and no function takes it.
 */
export async function listRowsHandedOn(query: Query, sources: Source[]): Promise<string[]> {
  const functions = await query<{ name: string }>(
    `select distinct p.proname as name from pg_proc p
     cross join lateral unnest(p.proargtypes) a join pg_type t on t.oid = a join pg_class c on c.oid = t.typrelid
     where p.pronamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  return sources
    .filter(({ path }) => !path.endsWith('.sql'))
    .flatMap(({ path, text }) =>
      functions.filter(({ name }) => new RegExp(`\\b${name}\\(`).test(text)).map(({ name }) => `${path}: ${name}`),
    )
}

/**
 * Statements of functions that read or write one of these tables and call a function that asks one:
 * it would ask from within a node's part of the statement, which a cluster refuses.
 */
export async function listAskedPerRow(query: Query, tables: readonly string[]): Promise<string[]> {
  const own = await query<{ name: string; body: string }>(
    `select proname as name, prosrc as body from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql' order by 1`,
  )
  const table = new RegExp(`\\b(from|join|into|update)\\s+(public\\.)?(${tables.join('|')})\\b`, 'i')
  const asking = own.filter(({ body }) => table.test(body)).map(({ name }) => name)
  const call = new RegExp(`\\b(${asking.join('|')})\\(`)
  return own.flatMap(({ name, body }) =>
    listStatements(body)
      .filter((statement) => table.test(statement) && call.test(statement))
      .map((statement) => `${name}: ${statement.slice(0, 60)}`),
  )
}
