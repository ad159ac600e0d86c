import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeySet } from './key-set.ts'

const key = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -3n, max: 3n }),
  // keys that share their lower half, which decides the slot
  fc.bigInt({ min: -8n, max: 8n }).map((high) => high << 32n),
)

test('answers as a set of texts does, also beyond its first capacity', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 3000, size: 'max' }), (keys) => {
      const ours = createKeySet()
      const theirs = new Set<bigint>()
      for (const each of keys) {
        expect(ours.has(each)).toBe(theirs.has(each))
        expect(ours.add(each)).toBe(!theirs.has(each))
        theirs.add(each)
      }
      expect(ours.size()).toBe(theirs.size)
      for (const each of theirs) expect(ours.has(each)).toBe(true)
    }),
    { numRuns: 20 },
  )
})
