import { expect, test } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

test('a bounded map forgets first what was set longest ago', () => {
  const map = createBoundedMap<number>(3)
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) map.set(key, value)
  map.set('a', 4)
  map.set('d', 5)
  expect([map.get('a'), map.get('b'), map.get('d'), map.size()]).toEqual([4, undefined, 5, 3])
})
