import { expect, test } from 'vitest'
import { toGroupId } from './group-tree.ts'
import { toKeptIds } from './open-groups.ts'

test('keeps every open group that fits in an address', () => {
  const trip = toGroupId(null, 'T-1')
  const ids = [trip, toGroupId(trip, null), toGroupId(trip, 'flight, 100 % “Ü”')]
  expect(toKeptIds(ids)).toEqual(ids)
})

test('drops the groups opened last when the address would grow too long', () => {
  const ids = Array.from({ length: 500 }, (_, index) => toGroupId(null, `Köln ${index}`))
  const kept = toKeptIds(ids)
  expect(kept).toEqual(ids.slice(0, kept.length))
  expect(kept.length).toBeGreaterThan(50)
  expect(new URLSearchParams(kept.map((id) => ['open', id])).toString().length).toBeLessThan(4000)
})
