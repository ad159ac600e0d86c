import { expect, test } from 'vitest'
import { isUnitTest, listTouched, listUnitTests, projectOf } from './choose-tests.ts'
import { listSources, type SourceFile, toSourceGraph } from './source-graph.ts'
import { toSelection } from './test.ts'

const graphOf = (files: Record<string, string>) =>
  toSourceGraph(Object.entries(files).map(([path, text]): SourceFile => ({ path, text })))

const PROJECT = graphOf({
  'lib/sum.ts': `import type { Odd } from './odd.ts'`,
  'lib/odd.ts': '',
  'lib/sum.test.ts': `import { sum } from './sum.ts'`,
  'lib/db/test-support/test-database.ts': '',
  'lib/ledger/test-support/seed.ts': `import { createTestDatabase } from '#lib/db/test-support/test-database.ts'`,
  'lib/ledger/list.ts': `import { sum } from '#lib/sum.ts'`,
  'lib/ledger/list.test.ts': `import { list } from './list.ts'\nimport { seed } from './test-support/seed.ts'`,
  'lib/worker/main.ts': `import { list } from '#lib/ledger/list.ts'`,
  'lib/worker/worker.test.ts': `spawn('node', ['lib/worker/main.ts'])`,
  'lib/names.test.ts': `const names = readdirSync('docs')`,
  'app/page.tsx': '',
  'e2e/look.ts': '',
  'e2e/list.spec.ts': `import { look } from './look.ts'`,
  'e2e/other.spec.ts': '',
})

test.each([
  ['settings', `process.env.LOG_LEVEL = 'silent'`],
  ['the working folder', `process.chdir('/')`],
  ['values of the whole process', `globalThis.tieoutPool = null`],
  ['a clock that stands still for everybody', 'vi.useFakeTimers()'],
  ['the cost of passwords', 'setPasswordCost(256)'],
  ['programs', `import { spawn } from 'node:child_process'`],
  ['servers', `import { createServer } from 'node:http'`],
])('a test that touches %s has a process of its own', (_, text) => {
  const files = new Map(PROJECT.files).set('lib/x.test.ts', { path: 'lib/x.test.ts', text })
  expect(projectOf('lib/x.test.ts', toSourceGraph([...files.values()]))).toBe('process')
})

test('to wait for a condition, or to count calls, takes no process of its own', () => {
  const text = 'await vi.waitFor(vi.fn())'
  const files = new Map(PROJECT.files).set('lib/x.test.ts', { path: 'lib/x.test.ts', text })
  expect(projectOf('lib/x.test.ts', toSourceGraph([...files.values()]))).toBe('pure')
})

test('a test shares a thread when it is pure, and a process when it only needs the database', () => {
  expect(projectOf('lib/sum.test.ts', PROJECT)).toBe('pure')
  expect(projectOf('lib/ledger/list.test.ts', PROJECT)).toBe('database')
})

test('every unit test belongs to one project, and most need no process of their own', () => {
  const graph = toSourceGraph(listSources())
  const { pure, database, process } = listUnitTests(graph)
  expect([...pure, ...database, ...process].sort()).toEqual([...graph.files.keys()].filter(isUnitTest).sort())
  expect(pure.length).toBeGreaterThan(80)
  expect(database.length).toBeGreaterThan(60)
})

test('a change touches the tests of what it is imported by, and of programs that a test starts', () => {
  const touched = listTouched(['lib/sum.ts'], PROJECT)
  expect(touched).toEqual({
    // the last but one looks files up, and may find any
    units: ['lib/ledger/list.test.ts', 'lib/names.test.ts', 'lib/sum.test.ts', 'lib/worker/worker.test.ts'],
    stories: ['e2e/list.spec.ts', 'e2e/other.spec.ts'],
  })
  expect(listTouched(['app/page.tsx'], PROJECT)).toEqual({
    units: ['lib/names.test.ts'],
    stories: ['e2e/list.spec.ts', 'e2e/other.spec.ts'],
  })
})

test('a change of a story’s own support touches that story alone, and one of a paper no story', () => {
  expect(listTouched(['e2e/look.ts'], PROJECT)).toEqual({
    units: ['lib/names.test.ts'],
    stories: ['e2e/list.spec.ts'],
  })
  expect(listTouched(['docs/errors.md'], PROJECT)).toEqual({ units: ['lib/names.test.ts'], stories: [] })
})

test('what decides how everything is installed, migrated or run, or is gone, touches everything', () => {
  // the last is gone
  for (const path of ['package-lock.json', 'prisma/migrations/1/migration.sql', 'lib/db/tenant.ts', 'lib/gone.ts'])
    expect(listTouched([path], PROJECT), path).toBe('all')
  expect(toSelection('all')).toEqual({ types: [], lint: [], build: [], unit: [], browser: [] })
  expect(toSelection({ units: [], stories: [] })).toEqual({ types: [], lint: [] })
  expect(toSelection({ units: ['lib/a.test.ts'], stories: ['e2e/b.spec.ts'] })).toEqual({
    types: [],
    lint: [],
    unit: ['lib/a.test.ts'],
    build: [],
    browser: ['e2e/b.spec.ts'],
  })
})
