import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSubsetSums, MOST_TERMS } from './subset-sums.ts'

/** Every set of parts, one by one. */
function listAll(parts: readonly bigint[], target: bigint): string[] {
  const found: string[] = []
  for (let set = 1; set < 2 ** parts.length; set += 1) {
    const places = parts.map((_, place) => place).filter((place) => (set >> place) & 1)
    const sum = places.reduce((total, place) => total + (parts[place] ?? 0n), 0n)
    if (sum === target && places.length <= MOST_TERMS) found.push(places.join())
  }
  return found
}

test('finds none, the only one or two of several, as trying every set does', () => {
  const part = fc.oneof(fc.bigInt({ min: 1n, max: 40n }), fc.bigInt({ min: 1n, max: 100_000n }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 11 }), fc.bigInt({ min: 1n, max: 300n }), fc.nat(), (parts, any, set) => {
      const planted = parts.reduce((sum, each, place) => ((set >> place) & 1 ? sum + each : sum), 0n)
      for (const target of planted > 0n ? [any, planted] : [any]) {
        const all = listAll(parts, target)
        const found = (findSubsetSums(parts, target) ?? []).map((places) => places.join())
        expect(found.length).toBe(Math.min(all.length, 2))
        expect(new Set(found).size).toBe(found.length)
        for (const each of found) expect(all).toContain(each)
      }
    }),
    { numRuns: 60 },
  )
})

test('takes at most twelve parts', () => {
  const ones = (count: number) => Array.from({ length: count }, () => 1n)
  expect(findSubsetSums(ones(12), 12n)).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]])
  expect(findSubsetSums(ones(13), 13n)).toEqual([])
  expect(findSubsetSums(ones(13), 12n)).toHaveLength(2)
})

test('finds the only sum of 26 parts that no other sum comes near', () => {
  const parts = Array.from({ length: 26 }, (_, at) => 3n ** BigInt(at) + 10n ** 20n)
  const places = [1, 2, 4, 6, 9, 13, 17, 18, 20, 22, 24, 25]
  const target = places.reduce((sum, place) => sum + (parts[place] ?? 0n), 0n)
  expect(findSubsetSums(parts, target)).toEqual([places])
})

test('says so in time when there are too many ways to try', () => {
  const parts = Array.from({ length: 80 }, (_, at) => 7n ** BigInt(at % 40) + BigInt(at))
  const started = performance.now()
  expect(findSubsetSums(parts, 7n ** 60n)).toBeNull()
  expect(performance.now() - started).toBeLessThan(1_000)
})
