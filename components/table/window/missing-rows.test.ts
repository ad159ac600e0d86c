import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseMissing } from './missing-rows.ts'

const key = (at: number) => ({ connectionId: 'c', id: String(at) })

test.each([
  ['from the start by number', [], [0, 40], { at: 0, count: 50, page: 1, beside: null }],
  [
    'on from a row that is there',
    [0, 50],
    [30, 70],
    { at: 50, count: 50, page: 1, beside: { side: 'after', row: key(49) } },
  ],
  [
    'up to a row that is there',
    [400, 450],
    [380, 420],
    { at: 350, count: 50, page: 1, beside: { side: 'before', row: key(400) } },
  ],
  ['the end from the end', [0, 50], [960, 990], { at: 940, count: 50, page: 1, beside: { side: 'before', row: null } }],
  ['a place in the middle by number', [0, 50], [520, 560], { at: 500, count: 50, page: 11, beside: null }],
  ['nothing that is there', [0, 50], [0, 50], null],
])('asks for %s', (_what, [from = 0, to = 0], [first = 0, last = 0], expected) => {
  const keyAt = (at: number) => (at >= from && at < to ? key(at) : null)
  expect(chooseMissing({ first, last, count: 990, pageSize: 50, keyAt })).toEqual(expected)
})

test('each answer brings rows that were missing, until all wanted ones are there', () => {
  const list = fc.record({ count: fc.integer({ min: 1, max: 1_000 }), pageSize: fc.integer({ min: 25, max: 60 }) })
  const spans = fc.array(fc.tuple(fc.nat(999), fc.nat(80)), { maxLength: 8 })
  fc.assert(
    fc.property(list, spans, ({ count, pageSize }, wishes) => {
      const there = new Set<number>()
      for (const [start, length] of wishes) {
        const first = Math.min(start, count - 1)
        const last = Math.min(first + length, count)
        for (let turn = 0; ; turn++) {
          const ask = chooseMissing({ first, last, count, pageSize, keyAt: (at) => (there.has(at) ? key(at) : null) })
          if (ask === null) break
          expect(turn).toBeLessThan(10)
          const before = there.size
          for (let at = ask.at; at < ask.at + ask.count; at++) there.add(at)
          expect(there.size).toBeGreaterThan(before)
          if (ask.beside?.side === 'after') expect(ask.beside.row).toEqual(key(ask.at - 1))
          if (ask.beside?.side === 'before' && ask.beside.row !== null)
            expect(ask.beside.row).toEqual(key(ask.at + ask.count))
        }
        for (let at = first; at < last; at++) expect(there.has(at)).toBe(true)
      }
    }),
  )
})
