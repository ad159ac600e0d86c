import { expect, test } from 'vitest'
import { sizesOf } from './sizes.ts'

test.each([
  [200_000, 200],
  [10_000_000, 200],
  [20_000, 40],
])('%i lines over %i organizations are all given out, a fifth to one, some to each', (lines, organizations) => {
  const sizes = sizesOf(lines, organizations)
  expect(sizes).toHaveLength(organizations)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(lines)
  expect(sizes[0]).toBe(lines / 5)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(sizes.at(-1)).toBeGreaterThanOrEqual(20)
  // skewed: the smaller half has less than a sixth
  const small = sizes.slice(organizations / 2).reduce((sum, size) => sum + size, 0)
  expect(small / lines).toBeLessThan(1 / 6)
})

test('too few lines for so many are refused', () => {
  expect(() => sizesOf(1_000, 200)).toThrow(RangeError)
})
