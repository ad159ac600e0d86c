/** Enforces decision 003: who calls Prisma Client, and that the worker never loads it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Product files: no tests, no test support, no texts of breakages. */
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'lib', 'app', 'components'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (path) =>
      /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/(test|seed)[\w-]*\.ts$|\/generated\/|\/mutations\/list\//.test(path),
  )
const texts = new Map(sources.map((path) => [path, read(path)]))

const TRANSACTION = /\bwith(Tenant|System)\(/
const DOOR = ['lib/db/tenant.ts', 'lib/db/records.ts', 'lib/db/prisma.ts']

function toStatements(text: string): string[] {
  return [...new Set([...text.matchAll(/\brecords\.(\w+\.\w+)\(/g)].map((match) => match[1] as string))].sort()
}

test('exactly the files named in decision 003 call Prisma Client, with the statements named there', () => {
  const rows = read('docs/decisions/003-sql-beside-prisma.md').matchAll(/^\| `(lib\/[^`]+\.ts)` \| (.*) \|$/gm)
  const named = [...rows].map(([, path, cell]) => [
    path,
    [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((each) => each[1]),
  ])
  const calling = [...texts].filter(
    ([path, text]) => !DOOR.includes(path) && (TRANSACTION.test(text) || toStatements(text).length > 0),
  )
  expect(calling.length).toBeGreaterThan(5)
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(calling.map(([path, text]) => [path, toStatements(text)])),
  )
})

/** How often a room asks by models and by SQL. */
function countStatements(room: string): { models: number; sql: number } {
  const all = [...texts].flatMap(([path, text]) => (path.startsWith(`${room}/`) ? [text] : [])).join('\n')
  const count = (statement: RegExp) => [...all.matchAll(statement)].length
  return { models: count(/\brecords\.\w+\.\w+\(/g), sql: count(/\bsql(?:\.prepared)?(?:<[^(]*>)?\(/g) }
}

test('no room has more SQL than decision 003 counts, nor fewer statements by models', () => {
  const rows = read('docs/decisions/003-sql-beside-prisma.md').matchAll(
    /^\| `(lib\/\w+)` \| \d+ \| (\d+) \| \d+ \| (\d+) \|$/gm,
  )
  const counted = [...rows].map(([, room = '', models, sql]) => ({ room, models: Number(models), sql: Number(sql) }))
  expect(counted.map(({ room }) => room)).toEqual(['lib/auth', 'lib/directory', 'lib/connections'])
  for (const { room, models, sql } of counted) {
    const now = countStatements(room)
    expect(now.sql, `${room}: is the new one a plain record's?`).toBeLessThanOrEqual(sql)
    expect(now.models, room).toBeGreaterThanOrEqual(models)
  }
})

/** Top-level functions that call Prisma Client, directly or through another of the file. */
function findRecordFunctions(text: string): string[] {
  const functions = [...text.matchAll(/^(?:export )?(?:async )?function (\w+)[\s\S]*?^}/gm)].map(([body, name]) => ({
    name: name as string,
    body,
  }))
  const found = new Set<string>()
  let before = -1
  while (found.size > before) {
    before = found.size
    for (const { name, body } of functions)
      if (TRANSACTION.test(body) || [...found].some((other) => new RegExp(`\\b${other}\\(`).test(body))) found.add(name)
  }
  return [...found]
}

const toPath = (specifier: string, from: string) =>
  specifier.startsWith('#') ? specifier.slice(1) : join(dirname(from), specifier)

/** Files that load with a file. */
function reach(path: string, seen = new Set<string>()): Set<string> {
  const text = texts.get(path)
  if (text === undefined || seen.has(path)) return seen
  seen.add(path)
  const imports = text.matchAll(
    /(?:^|\n)(?:import|export) (?!type )[^'"`;]*?from '([.#][^']+)'|import\('([.#][^']+)'\)/g,
  )
  for (const match of imports) reach(toPath((match[1] ?? match[2]) as string, path), seen)
  return seen
}

test('nothing the worker runs calls Prisma Client, which costs memory from its first call', () => {
  const reached = [...reach('lib/worker/main.ts')].filter((path) => !DOOR.includes(path))
  expect(reached).toContain('lib/sync/platform/partner-host.ts')
  const names = new Map([...texts].map(([path, text]) => [path, DOOR.includes(path) ? [] : findRecordFunctions(text)]))
  expect(names.get('lib/sync/platform/partner-host.ts')).toEqual(['listPartnerHosts'])
  const calls = reached.flatMap((path) =>
    reached
      .flatMap((defined) => (defined === path ? [] : (names.get(defined) ?? [])))
      .filter((name) => new RegExp(`\\b${name}\\b`).test(texts.get(path) as string))
      .map((name) => `${path} names ${name}`),
  )
  expect(calls).toEqual([])
  // these folders hold the worker's own work
  expect(reached.filter((path) => path.startsWith('lib/worker/') && names.get(path)?.length !== 0)).toEqual([])
})
