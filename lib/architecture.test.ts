/** House rules a machine can check (docs/decisions/001-house-rules.md): layers, doors, names. */
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import * as sources from './cli/test/source-graph.ts'
import { importsOf, isForTests, type SourceFile } from './cli/test/source-graph.ts'

/** What each layer may import besides itself. A layer is a folder of lib, or a top folder. */
const LAYERS: Record<string, string[]> = {
  reconcile: [],
  partner: ['reconcile'],
  db: [],
  audit: ['db', 'reconcile'],
  ledger: ['db', 'audit', 'reconcile'],
  connections: ['reconcile', 'partner', 'db', 'audit'],
  sync: ['connections', 'partner', 'ledger', 'reconcile', 'db', 'audit'],
  export: ['ledger', 'reconcile', 'db', 'audit'],
  http: [],
  metrics: ['db'],
  auth: ['reconcile', 'partner', 'db', 'http', 'connections', 'audit'],
  directory: ['db', 'http', 'audit', 'auth'],
  views: ['db', 'audit'],
  talk: ['db', 'audit', 'reconcile'],
  // an evidence pack is a file: kept as those of comments, with the columns of the lines file
  pack: ['ledger', 'reconcile', 'db', 'audit', 'export', 'talk'],
  // what waits for a person is in many places; who may see it is in one
  digest: ['db', 'audit', 'ledger', 'connections', 'talk', 'reconcile', 'pure'],
  worker: [
    'reconcile',
    'partner',
    'db',
    'audit',
    'ledger',
    'connections',
    'sync',
    'export',
    'metrics',
    'talk',
    'digest',
    'pack',
  ],
  sandbox: [],
  cli: [
    'reconcile',
    'partner',
    'db',
    'audit',
    'ledger',
    'connections',
    'sync',
    'export',
    'auth',
    'worker',
    'sandbox',
    'http',
    'soak',
    'bench',
    'world',
  ],
  // no part of the product: they put it under load
  world: ['db', 'ledger', 'connections', 'partner', 'auth', 'sandbox', 'cli'],
  bench: [
    'components',
    'db',
    'ledger',
    'connections',
    'sync',
    'export',
    'reconcile',
    'partner',
    'auth',
    'sandbox',
    'world',
    'cli',
  ],
  soak: [
    'db',
    'ledger',
    'connections',
    'sync',
    'export',
    'reconcile',
    'partner',
    'auth',
    'audit',
    'sandbox',
    'world',
    'cli',
  ],
  components: ['reconcile', 'pure'],
  app: [
    'components',
    'reconcile',
    'partner',
    'db',
    'audit',
    'ledger',
    'connections',
    'sync',
    'export',
    'http',
    'auth',
    'directory',
    'views',
    'talk',
    'digest',
    'pack',
  ],
}
/** Open to every layer. */
const IDS = 'lib/ids.ts'
/** For all layers but the pure core, the sandbox and client components. */
const SHARED = [
  'lib/env.ts',
  'lib/log.ts',
  'lib/errors.ts',
  'lib/bounded-map.ts',
  'lib/bucket.ts',
  'lib/hash-text.ts',
  'lib/key-pair.ts',
  'lib/ip-address.ts',
  'lib/secret.ts',
  'lib/process-wide.ts',
  IDS,
]
/**
 * Links are mailed by the worker, and its rules act as people with a role: it imports nothing else
 * of those who sign in.
 */
const FOR_WORKER = /^lib\/auth\/(links\/|permissions\.ts$)/
const WITHOUT_SHARED = ['reconcile', 'sandbox', 'components']
/** Pure modules (no I/O) shared with the browser: one piece of code parses and writes the URL. */
const PURE =
  /^lib\/(ledger\/query\/([\w-]+\/)?[\w-]+\.ts|ledger\/close\/close-query\.ts|(audit|ledger|connections|sync|talk|digest|pack)\/model\.ts|talk\/file-kind\.ts|auth\/permissions\.ts|connections\/(connect-outcomes|concerns|states)\.ts)$/

/** The one place for each outside thing. */
const DOORS: { what: RegExp; only: RegExp }[] = [
  { what: /^decimal\.js$/, only: /^lib\/reconcile\/money\.ts$/ },
  { what: /^(pg|pg-copy-streams|pg-cursor|@prisma\/.*)$|generated\//, only: /^(lib\/(db|ledger)|prisma)\// },
  {
    what: /^node:https?$/,
    only: /^lib\/(partner\/http\/http[\w-]*\.ts|metrics\/|sandbox\/|cli\/|soak\/|bench\/|world\/)/,
  },
  { what: /^prom-client$/, only: /^lib\/metrics\// },
  { what: /^next-auth/, only: /^(lib\/auth|app\/api\/auth)\// },
  { what: /^jose$/, only: /^lib\/(connections\/tokens\/vault|auth\/sso\/id-token)\.ts$/ },
  { what: /^pino$/, only: /^lib\/log\.ts$/ },
  { what: /^@myriaddreamin\//, only: /^lib\/pack\/typeset\.mjs$/ },
  { what: /^hyparquet-writer$/, only: /^lib\/export\/lake\/parquet-file\.ts$/ },
  { what: /^aws4fetch$/, only: /^lib\/export\/lake\/s3-store\.ts$/ },
  { what: /^nodemailer$/, only: /^lib\/worker\/mail\.ts$/ },
  { what: /^scimmy$/, only: /^lib\/directory\/scim-schemas\.ts$/ },
  { what: /^lossless-json$/, only: /^lib\/reconcile\/json\/parse\.ts$/ },
]

function layerOf(path: string): string {
  const [top = '', folder = ''] = path.split('/')
  if (top !== 'lib') return top
  return folder.includes('.') ? 'lib' : folder
}

/** One sentence per broken rule; none for a file that keeps the house rules. */
function findViolations(file: SourceFile): string[] {
  const { path, text } = file
  const layer = layerOf(path)
  const isTest = isForTests(path)
  const problems: string[] = []
  for (const { target, isTypeOnly } of importsOf(file)) {
    if (isTest) continue
    for (const door of DOORS)
      if (door.what.test(target) && !door.only.test(path))
        problems.push(`${path} imports ${target}, whose only door is ${door.only.source}`)
    if (/^(lib|app|components|prisma|e2e)\//.test(target))
      problems.push(...layerProblems(path, layer, target, isTypeOnly))
  }
  if (
    !isTest &&
    /process\.env/.test(text) &&
    !/^(lib\/env\.ts|lib\/cli\/bootstrap\.mjs|lib\/cli\/test\/test-browser\.ts|prisma\/|next\.config\.mjs)/.test(
      path,
    ) &&
    layer !== 'e2e'
  )
    problems.push(`${path} reads process.env, whose only door is lib/env.ts`)
  if (
    !isTest &&
    /(^|[^.\w])fetch\(/.test(text) &&
    layerOf(path) !== 'components' &&
    !['cli', 'soak', 'bench', 'world'].includes(layer) &&
    path !== 'lib/partner/http/http.ts'
  )
    problems.push(`${path} calls fetch; partner HTTP goes through lib/partner/http/http.ts`)
  if (
    !isTest &&
    /\brequest\.(body|json|text|formData|arrayBuffer|blob|bytes)\b/.test(text) &&
    /^(app|lib\/(auth|directory|http))\//.test(path) &&
    path !== 'lib/http/read-bounded.ts'
  )
    problems.push(`${path} reads a request's body, whose only door is lib/http/read-bounded.ts`)
  if (
    /^['"]use client['"]/.test(text) !== path.endsWith('.client.tsx') &&
    /^(app|components)\//.test(path) &&
    !/app\/.*error\.tsx$/.test(path)
  )
    problems.push(`${path}: exactly the files named .client.tsx start with 'use client'`)
  if (/^\s*['"]use server['"]/m.test(text)) problems.push(`${path} has a server action; mutations are route handlers`)
  if (/(^|\/)(index\.tsx?|utils?|helpers?)(\.|\/|$)/.test(path))
    problems.push(`${path}: no barrels, no utils, no helpers`)
  if (/(^|\/)[^/]*[A-Z][^/]*\.(ts|tsx|mjs)$/.test(path)) problems.push(`${path}: file names are kebab-case`)
  if (!isTest && /^lib\/(reconcile|ledger|export)\//.test(path) && /Date\.now\(|new Date\(\)/.test(text))
    problems.push(`${path} reads the clock; it is passed in`)
  return problems
}

function layerProblems(path: string, layer: string, target: string, isTypeOnly: boolean): string[] {
  if (/\/route\.ts$/.test(target)) return [`${path} imports the route ${target}`]
  const targetLayer = layerOf(target)
  if (targetLayer === layer) return []
  if (target === IDS) return []
  if (SHARED.includes(target)) return WITHOUT_SHARED.includes(layer) ? [`${path} imports ${target}`] : []
  const allowed = LAYERS[layer] ?? []
  if (allowed.includes(targetLayer) || (layer === 'worker' && FOR_WORKER.test(target))) return []
  if (allowed.includes('pure') && (PURE.test(target) || isTypeOnly)) return []
  return [`${path} imports ${target}: ${layer} may import only ${allowed.join(', ') || 'nothing of the project'}`]
}

/**
 * The places in a circle of imports, each with the next ones on its way round; none when imports
 * point one way. Imports of types count: to read one file, you have to read the other.
 */
function findCircles(imports: [from: string, to: string][]): string[] {
  let left = imports.filter(([from, to]) => from !== to)
  for (;;) {
    // what imports nothing more, and what nothing more imports, is in no circle
    const importing = new Set(left.map(([from]) => from))
    const imported = new Set(left.map(([, to]) => to))
    const inner = left.filter(([from, to]) => importing.has(to) && imported.has(from))
    if (inner.length === left.length) return [...new Set(inner.map(([from, to]) => `${from} -> ${to}`))].sort()
    left = inner
  }
}

/** A folder of `lib`, or one in it, or a kept answer; `components` and `app` are one each. */
function roomOf(path: string): string {
  const [, top = '', room = '', answer = ''] = path.split('/')
  if (top === 'ledger' && room === 'kept' && !answer.includes('.')) return `ledger/kept/${answer}`
  return layerOf(path) !== top || room === '' || room.includes('.') ? layerOf(path) : `${top}/${room}`
}

/** Test support belongs to no room; everybody may use the settings, log and errors. */
function toRooms(files: SourceFile[]): [from: string, to: string][] {
  const product = files.filter(({ path }) => !isForTests(path))
  const pairs = product.flatMap((file) => importsOf(file).map(({ target }) => `${roomOf(file.path)} ${toRoom(target)}`))
  return [...new Set(pairs)].map((pair) => pair.split(' ') as [string, string])
}

function toRoom(target: string): string {
  return /^(lib|app|components|prisma)\//.test(target) && !SHARED.includes(target) ? roomOf(target) : 'outside'
}

/** This file names what the others may not. */
function listSources(): SourceFile[] {
  return sources.listSources().filter(({ path }) => path !== 'lib/architecture.test.ts')
}

test('every source file keeps the layers, the doors and the naming rules', () => {
  const files = listSources()
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap(findViolations)).toEqual([])
})

test('no files import each other in a circle, and no rooms do', () => {
  const files = listSources()
  expect(
    findCircles(files.flatMap((file) => importsOf(file).map(({ target }): [string, string] => [file.path, target]))),
  ).toEqual([])
  expect(findCircles(toRooms(files))).toEqual([])
})

test('no folder holds more than 24 files besides its tests', () => {
  const counts = new Map<string, number>()
  for (const { path } of listSources())
    if (!isForTests(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  expect([...counts].filter(([, count]) => count > 24)).toEqual([])
})

test('no comment goes past 100 columns', () => {
  const long = listSources().flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) =>
        line.length > 100 && /^\s*(\/\/|\/\*|\* )/.test(line) && !/biome-ignore/.test(line)
          ? [`${path}:${at + 1}`]
          : [],
      ),
  )
  expect(long).toEqual([])
})

test('no literal is spread into its own literal', () => {
  const spread = listSources().flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (/^\s*\.\.\.(\{.*\}|\[.*\]),?$/.test(line) ? [`${path}:${at + 1}`] : [])),
  )
  expect(spread).toEqual([])
})

test('refuses a circle of files or of rooms, even if only types are imported', () => {
  const circle: SourceFile[] = [
    { path: 'lib/sync/a.ts', text: `import { b } from './b.ts'` },
    { path: 'lib/sync/b.ts', text: `import { c } from '../connections/c.ts'` },
    { path: 'lib/connections/c.ts', text: `import type { A } from '../sync/a.ts'` },
    { path: 'lib/worker/d.ts', text: `import { a } from '../sync/a.ts'` },
  ]
  const imports = circle.flatMap((file) => importsOf(file).map(({ target }): [string, string] => [file.path, target]))
  expect(findCircles(imports)).toEqual([
    'lib/connections/c.ts -> lib/sync/a.ts',
    'lib/sync/a.ts -> lib/sync/b.ts',
    'lib/sync/b.ts -> lib/connections/c.ts',
  ])
  expect(findCircles(toRooms(circle))).toEqual(['connections -> sync', 'sync -> connections'])
  expect(findCircles(imports.slice(0, 2))).toEqual([])
})

test('a page has at most 80 lines, with its parts in separate files', () => {
  const pages = listSources().filter(({ path }) => /^app\/.*\/page\.tsx$/.test(path))
  const long = pages.filter(({ text }) => text.trimEnd().split('\n').length > 80)
  expect(long.map(({ path }) => path)).toEqual([])
})

test.each([
  ['the pure core imports the database', 'lib/reconcile/x.ts', `import { pool } from '../db/pool.ts'`],
  ['the pure core imports settings', 'lib/reconcile/x.ts', `import { settings } from '../env.ts'`],
  ['a second door to decimal.js', 'lib/export/x.ts', `import Decimal from 'decimal.js'`],
  ['a second door to PostgreSQL', 'lib/sync/x.ts', `import pg from 'pg'`],
  ['a second door to jose', 'lib/connections/x.ts', `import { CompactEncrypt } from 'jose'`],
  ['a second door to next-auth', 'app/lines/x.ts', `import { getServerSession } from 'next-auth/next'`],
  ['a page that knows the worker', 'app/lines/x.ts', `import { startWorker } from '../../lib/worker/main.ts'`],
  ['a page that knows the sandbox', 'app/lines/x.ts', `import { startSandbox } from '../../lib/sandbox/server.ts'`],
  ['a sandbox that knows the project', 'lib/sandbox/x.ts', `import { proveLine } from '../reconcile/line-proof.ts'`],
  [
    'a component that reads the ledger',
    'components/x.tsx',
    `import { listLines } from '../lib/ledger/read/list-lines.ts'`,
  ],
  ['a route that imports a route', 'app/api/x/route.ts', `import { GET } from '../y/route.ts'`],
  ['process.env outside its door', 'lib/sync/x.ts', `const x = process.env.X`],
  ['a dynamic import through the wall', 'lib/ledger/x.ts', `const x = await import('../worker/main.ts')`],
  ['a route that reads a body without bounds', 'app/api/x/route.ts', `const body = await request.json()`],
  ['a client file without its suffix', 'components/x.tsx', `'use client'\n`],
  ['a helpers file', 'lib/sync/helpers.ts', ''],
  ['connections that know a sync', 'lib/connections/x.ts', `import { runSync } from '../sync/run-sync.ts'`],
  ['the clock read in the core', 'lib/reconcile/x.ts', `const now = new Date()`],
])('refuses %s', (_, path, text) => {
  expect(findViolations({ path, text })).toHaveLength(1)
})
