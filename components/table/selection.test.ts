import { expect, test } from 'vitest'
import { countSelected, isSelected, NOTHING_SELECTED, type Selection, select } from './selection.ts'

const rows = (...keys: string[]) => keys.map((key): [string, string] => [key, key.toUpperCase()])

test('rows are selected and taken back one by one', () => {
  const two = select<string>(NOTHING_SELECTED, rows('a', 'b'), true)
  expect(['a', 'b', 'c'].map((key) => isSelected(two, key))).toEqual([true, true, false])
  expect([...select(two, rows('a', 'c'), false).rows.values()]).toEqual(['B'])
  expect(countSelected(two, 100)).toBe(2)
})

test('of all rows, those that are taken back are known, and come back', () => {
  const all: Selection<string> = { isAll: true, rows: new Map() }
  const butOne = select(all, rows('b'), false)
  expect(['a', 'b'].map((key) => isSelected(butOne, key))).toEqual([true, false])
  expect(countSelected(butOne, 1284)).toBe(1283)
  expect(select(butOne, rows('a', 'b'), true)).toEqual(all)
})
