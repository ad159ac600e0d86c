import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../run/project-root.ts'
import { listSlowest, selectParts } from './test.ts'
import {
  countPlaywright,
  countVitest,
  formatCounts,
  listPlaywrightFailures,
  listPlaywrightTimes,
  listVitestFailures,
  listVitestTimes,
} from './test-counts.ts'
import { PARTS, STAGES } from './test-parts.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-counts-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function report(content: unknown): string {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

const suite = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
})

test('counts each unit test, and a file that cannot be loaded as one failure', () => {
  const testResults = [
    suite('passed', 'passed', 'passed', 'pending'),
    suite('failed', 'failed', 'passed'),
    suite('failed'),
  ]
  expect(countVitest(report({ testResults }), 1)).toEqual({ passed: 3, failed: 2, skipped: 1 })
})

test('counts each browser test, and a flaky one as failed', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }
  expect(countPlaywright(report({ stats }), 1)).toEqual({ passed: 5, failed: 2, skipped: 2 })
})

test('names each failed test with its file and the beginning of its message', () => {
  const unit = {
    ...suite('failed'),
    assertionResults: [
      { status: 'passed', fullName: 'adds' },
      { status: 'failed', fullName: 'rounds', failureMessages: ['\x1b[31mexpected 1\x1b[0m'] },
    ],
  }
  const broken = { ...suite('failed'), message: 'no such module' }
  const testResults = [
    { ...unit, name: join(projectRoot, 'lib/money.test.ts') },
    { ...broken, name: join(projectRoot, 'lib/gone.test.ts') },
    suite('passed', 'passed'),
  ]
  expect(listVitestFailures(report({ testResults }))).toEqual([
    'lib/money.test.ts › rounds\n    expected 1',
    'lib/gone.test.ts › \n    no such module',
  ])
  const spec = (title: string, ...messages: string[]) => ({
    title,
    ok: messages.length === 0,
    tests: [{ results: [{ errors: messages.map((message) => ({ message })) }] }],
  })
  const inner = { file: 'list.spec.ts', specs: [spec('sorts', 'Timeout'), spec('opens')] }
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 }
  expect(listPlaywrightFailures(report({ stats, suites: [{ file: 'list.spec.ts', suites: [inner] }] }))).toEqual([
    'list.spec.ts › sorts\n    Timeout',
  ])
})

test('never calls a failed run a success', () => {
  expect(countVitest(report({ testResults: [suite('passed', 'passed')] }), 1).failed).toBe(1)
  expect(countVitest(join(folder, 'missing.json'), 0).failed).toBe(1)
  expect(countPlaywright(join(folder, 'missing.json'), 0).failed).toBe(1)
})

test('ends with "N passed, N failed", naming skipped tests only when there are any', () => {
  expect(formatCounts({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(formatCounts({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped')
})

test('runs everything, the named parts, or the part that a path belongs to', () => {
  expect(selectParts([])).toEqual({ types: [], lint: [], build: [], unit: [], browser: [] })
  expect(selectParts(['lint', 'types'])).toEqual({ types: [], lint: [] })
  expect(selectParts(['unit', 'lib/db'])).toEqual({ unit: ['lib/db'] })
  expect(selectParts(['lib/db'])).toEqual({ unit: ['lib/db'] })
  const story = ['e2e/connect.spec.ts']
  expect(selectParts(story)).toEqual({ build: story, browser: story })
})

test('every part has its place in the order, the build before the browser', () => {
  const order = STAGES.flatMap((rows) => rows.flat())
  expect([...order].sort()).toEqual(Object.keys(PARTS).sort())
  const stageOf = (name: string) => STAGES.findIndex((rows) => rows.flat().includes(name))
  expect(stageOf('build')).toBeLessThan(stageOf('browser'))
})

test('names the ten slowest files, the slowest first, with what each of their tests took', () => {
  const testResults = Array.from({ length: 12 }, (_, at) => ({
    ...suite('passed', 'passed'),
    name: join(projectRoot, `lib/${at}.test.ts`),
    startTime: 1_000,
    endTime: 1_000.4 + at * 10,
  }))
  const slowest = listSlowest(listVitestTimes(report({ testResults })))
  expect(slowest).toHaveLength(10)
  expect(slowest[0]).toEqual({ file: 'lib/11.test.ts', ms: 110 })
  const spec = (...durations: number[]) => ({
    title: 'x',
    ok: true,
    tests: [{ results: durations.map((duration) => ({ duration, errors: [] })) }],
  })
  const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }
  const inner = { file: 'a.spec.ts', specs: [spec(5)] }
  const suites = [{ file: 'a.spec.ts', specs: [spec(10), spec(20, 1)], suites: [inner] }]
  expect(listPlaywrightTimes(report({ stats, suites }))).toEqual([{ file: 'e2e/a.spec.ts', ms: 36 }])
  expect(listPlaywrightTimes(join(folder, 'missing.json'))).toEqual([])
})
