import { expect, test } from 'vitest'
import { listFarOff, toServerSettings } from './server-settings.ts'

const GIGABYTE = 1024 ** 3

function settingsOf(memoryGigabytes: number, processors = 2): Record<string, string> {
  const machine = { memoryBytes: memoryGigabytes * GIGABYTE, processors }
  return Object.fromEntries(toServerSettings(machine).map((setting) => setting.split('=')))
}

test('the cache grows with the memory, between 128 MB and 4 GB', () => {
  expect(settingsOf(0.5).shared_buffers).toBe('128MB')
  expect(settingsOf(8).shared_buffers).toBe('1024MB')
  expect(settingsOf(256).shared_buffers).toBe('4096MB')
})

test('a small machine keeps sorts small, a large one sorts in memory', () => {
  expect(settingsOf(1).work_mem).toBe('8MB')
  expect(settingsOf(24).work_mem).toBe('64MB')
})

test('a query uses all processors, but never more than four', () => {
  expect(settingsOf(8, 2).max_parallel_workers_per_gather).toBe('2')
  expect(settingsOf(64, 32).max_parallel_workers_per_gather).toBe('4')
})

const FIT = { sharedBuffers: 4 * GIGABYTE, workMem: 32 * 1024 ** 2, randomPageCost: 1.1, jit: false }

test('a server with fitting settings is not spoken of', () => {
  expect(listFarOff(FIT)).toEqual([])
})

test.each([
  ['shared_buffers', { sharedBuffers: 128 * 1024 ** 2 }, '128 MB'],
  ['work_mem', { workMem: 4 * 1024 ** 2 }, '4 MB'],
  ['random_page_cost', { randomPageCost: 4 }, 'is 4'],
  ['jit', { jit: true }, 'is on'],
])('names %s when it is as PostgreSQL comes, with its value', (name, change, value) => {
  const found = listFarOff({ ...FIT, ...change })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(name)
  expect(found[0]).toContain(value)
})
