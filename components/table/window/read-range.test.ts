import { expect, test } from 'vitest'
import type { Ask } from './missing-rows.ts'
import { readRange } from './read-range.ts'

const COUNT = 1000
const toKey = (at: number) => ({ connectionId: 'c', id: String(at) })

function listOf(count: number) {
  const asked: Ask[] = []
  const read = async (ask: Ask) => {
    asked.push(ask)
    return Array.from({ length: Math.min(ask.count, count - ask.at) }, (_, offset) => ask.at + offset)
  }
  return { asked, read }
}

test('a range has all its rows, also those that were never in sight', async () => {
  const { asked, read } = listOf(COUNT)
  const isThere = (at: number) => at < 50 || (at >= 500 && at < 560)
  const rowAt = (at: number) => (isThere(at) ? at : undefined)
  const rows = await readRange({ from: 10, to: 530, count: COUNT, pageSize: 50, rowAt, toKey, read })
  expect(rows).toEqual(Array.from({ length: 520 }, (_, offset) => offset + 10))
  expect(asked).toHaveLength(9)
})

test('a list that has become shorter gives no range that lacks rows', async () => {
  const { read } = listOf(60)
  expect(
    await readRange({ from: 0, to: 100, count: COUNT, pageSize: 50, rowAt: () => undefined, toKey, read }),
  ).toBeNull()
})

test('a list whose rows have moved meanwhile gives no range that has one twice', async () => {
  const read = async (ask: Ask) => Array.from({ length: ask.count }, (_, offset) => ask.at + offset - 1)
  const rowAt = (at: number) => (at < 50 ? at : undefined)
  expect(await readRange({ from: 0, to: 100, count: COUNT, pageSize: 50, rowAt, toKey, read })).toBeNull()
})
