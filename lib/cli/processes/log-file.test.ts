import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toChildEnvironment } from '#lib/env.ts'
import { LOG_BYTES, rotateLog, shrinkLog } from './log-file.ts'
import { startProcess } from './managed-process.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-log-'))
  file = join(folder, 'web.log')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Numbered lines of 100 bytes. */
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${String(from + n).padStart(8, '0')} ${'x'.repeat(90)}\n`).join('')
const numbersIn = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      expect(line).toMatch(/^\d{8} x{90}$/)
      return Number(line.slice(0, 8))
    })

test('A25: empties a log at its limit, and keeps what it held beside it, to the last line', () => {
  writeFileSync(file, lines(1, 100), { mode: 0o600 })
  shrinkLog(file, 10_000)
  expect(existsSync(`${file}.1`)).toBe(false)
  appendFileSync(file, lines(101, 101))
  shrinkLog(file, 10_100)
  expect(existsSync(`${file}.1`)).toBe(false)
  shrinkLog(file, 10_099)
  expect(statSync(file).size).toBe(0)
  expect(numbersIn(`${file}.1`)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2))
  expect(statSync(`${file}.1`).mode & 0o777).toBe(0o600)
})

test('A25: keeps the last whole lines of a log that has grown far beyond its limit', () => {
  writeFileSync(file, lines(1, 5_000))
  shrinkLog(file, 10_050)
  expect(statSync(file).size).toBe(0)
  expect(numbersIn(`${file}.1`)).toEqual(Array.from({ length: 100 }, (_, n) => 4_901 + n))
})

test('A25: empties a log that cannot be copied, too: on a full disk, room comes first', () => {
  writeFileSync(file, lines(1, 200))
  mkdirSync(`${file}.1.part`)
  shrinkLog(file, 1_000)
  expect(statSync(file).size).toBe(0)
})

test('begins a start with room in the log: puts a half-full one aside', () => {
  writeFileSync(file, 'x'.repeat(LOG_BYTES / 2))
  rotateLog(file)
  expect(existsSync(`${file}.1`)).toBe(false)
  appendFileSync(file, 'x')
  rotateLog(file)
  expect([existsSync(file), existsSync(`${file}.1`)]).toEqual([false, true])
})

/** Writes 30 MB of numbered lines at up to 10 MB/s, straight to the descriptor as pino does. */
const TALKATIVE = `const { writeSync } = require('node:fs'); let n = 0
  const timer = setInterval(() => {
    let text = ''
    for (let i = 0; i < 1000; i++) text += String(++n).padStart(8, '0') + ' ' + 'x'.repeat(90) + '\\n'
    for (let bytes = Buffer.from(text); bytes.length > 0; bytes = bytes.subarray(writeSync(1, bytes)));
    if (n >= 300_000) clearInterval(timer)
  }, 10)`

test('A25: the log of a process that never stops talking stays small while it runs, and holds its last words', async () => {
  const talkative = startProcess({
    args: ['-e', TALKATIVE],
    env: toChildEnvironment({}),
    logFile: file,
    stopWithinMs: 0,
  })
  let largest = 0
  let isOver = false
  void talkative.exited.then(() => {
    isOver = true
  })
  await vi.waitUntil(
    () => {
      largest = Math.max(largest, statSync(file).size)
      return isOver
    },
    { timeout: 60_000, interval: 20 },
  )
  expect(largest).toBeGreaterThan(LOG_BYTES / 2)
  expect(largest).toBeLessThan(3 * LOG_BYTES)
  shrinkLog(file, LOG_BYTES)
  expect(statSync(file).size).toBeLessThanOrEqual(LOG_BYTES)
  expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(3 * LOG_BYTES)
  const kept = [...numbersIn(`${file}.1`), ...(statSync(file).size === 0 ? [] : numbersIn(file))]
  expect(kept.at(-1)).toBe(300_000)
  // in order, with at most one gap, from the moment of emptying
  const gaps = kept.slice(1).filter((number, index) => number !== (kept[index] as number) + 1)
  expect(gaps.length).toBeLessThanOrEqual(1)
})
