import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { applyBreakage, findMisfit } from './mutations/apply-breakage.ts'
import type { Breakage } from './mutations/model.ts'
import type { CheckResult } from './mutations/run-checks.ts'
import { isOf, joinChecks, judge, parseOptions } from './soak-mutations.ts'

let folder: string
const file = 'code.ts'
const code = () => readFileSync(join(folder, file), 'utf8')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-breakage-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  writeFileSync(join(folder, file), 'export const one = 1\nexport const two = 1\n')
  writeFileSync(join(folder, 'code.test.ts'), '')
})

const breakage = (change: Partial<Breakage> & object = {}): Breakage => ({
  id: 'one-is-two',
  row: 'F1',
  promise: 'One is one.',
  tests: ['code.test.ts'],
  file,
  before: 'one = 1',
  after: 'one = 2',
  ...change,
})

test("applies a breakage's edits in order, changes nothing else, and takes them back", () => {
  const edits = [
    { file, before: '= 1', after: '= 3', count: 2 },
    { file, before: 'two = 3', after: 'two = 4' },
  ]
  const restore = applyBreakage(folder, { id: 'x', row: 'F1', promise: 'X.', tests: ['code.test.ts'], edits })
  expect(code()).toBe('export const one = 3\nexport const two = 4\n')
  restore()
  expect(code()).toBe('export const one = 1\nexport const two = 1\n')
})

test.each([
  ['missing text', { before: 'three' }, 'holds the text 0 times, not 1'],
  ['repeated text', { before: 'export' }, 'holds the text 2 times, not 1'],
  ['no change', { after: 'one = 1' }, 'is not changed'],
  ['a missing file', { file: 'gone.ts' }, 'there is no file gone.ts'],
  ['a missing test', { tests: ['gone.test.ts'] }, 'there is no test gone.test.ts'],
  ['code that no longer parses', { after: 'one = (' }, 'code.ts:2:0: ERROR'],
])('refuses a breakage with %s, and says why', (_, change, why) => {
  expect(findMisfit(folder, breakage(change))).toContain(why)
  expect(findMisfit(folder, breakage())).toBe(null)
  expect(code()).toBe('export const one = 1\nexport const two = 1\n')
})

test('judges a breakage by the result of its tests', () => {
  const failed: CheckResult = { kind: 'failed', failures: [{ file: 'a.test.ts', test: 'F1: x', what: 'not 1' }] }
  const results: CheckResult[] = [failed, { kind: 'hung' }, { kind: 'empty' }, { kind: 'passed' }]
  expect(results.map((result) => judge(breakage(), result).verdict)).toEqual([
    'noticed',
    'noticed',
    'NO TEST RAN',
    'SURVIVED',
  ])
  const behind = breakage({ harmless: 'Something else.' })
  expect(judge(behind, { kind: 'passed' })).toEqual({ verdict: 'harmless', by: 'Something else.' })
  expect(judge(behind, failed)).toEqual({ verdict: 'noticed', by: 'a.test.ts: F1: x: not 1' })
})

test('picks breakages by name, by row, from one on, and in shares that leave none out', () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((id, index) => breakage({ id, row: index < 2 ? 'F1' : 'A13' }))
  const pick = (...args: string[]) => parseOptions(args, all).breakages.map(({ id }) => id)
  expect(pick()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(pick('--only', 'F1,d')).toEqual(['a', 'b', 'd'])
  expect(pick('--from', 'c')).toEqual(['c', 'd', 'e'])
  expect([...pick('--shard', '1/2'), ...pick('--shard', '2/2')].sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(parseOptions(['--limit', '20'], all).limitMs).toBe(20_000)
  for (const wrong of [
    ['--only', 'z'],
    ['--from', 'z'],
    ['--shard', '3/2'],
    ['--shard', 'x'],
    ['--limit', '0'],
  ])
    expect(() => parseOptions(wrong, all), wrong.join(' ')).toThrow('Usage')
})

test('runs each named test once on whole code: whole files, and the named titles of others', () => {
  const some = [
    breakage({ tests: ['b.test.ts', 'a.test.ts'] }),
    breakage({ tests: ['a.test.ts'], title: 'F9' }),
    breakage({ tests: ['c.test.ts'], title: 'F1' }),
    breakage({ tests: ['c.test.ts', 'd.test.ts'], title: 'F2|F3' }),
  ]
  expect(joinChecks(some)).toEqual([
    { tests: ['a.test.ts', 'b.test.ts'] },
    { tests: ['c.test.ts', 'd.test.ts'], title: '(F1)|(F2|F3)' },
  ])
})

test('retries a test that fails on whole code before it may judge a breakage, and only one that names it', () => {
  const failure = { file: 'a.test.ts', test: 'sign-in F1: of many one', what: '' }
  const names = [undefined, 'F1: ', 'F2: '].map((title) => isOf(breakage({ tests: ['a.test.ts'], title }), failure))
  expect(names).toEqual([true, true, false])
  expect(isOf(breakage({ tests: ['b.test.ts'] }), failure)).toBe(false)
  // the file could not run, so its tests are unknown
  expect(isOf(breakage({ tests: ['a.test.ts'], title: 'F2: ' }), { ...failure, test: null })).toBe(true)
})
