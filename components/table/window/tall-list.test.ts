import fc from 'fast-check'
import { expect, test } from 'vitest'
import { follow, type Tall, toBar, toLaidOut } from './tall-list.ts'

const ROW = 32
const tall = fc
  .record({ count: fc.integer({ min: 100, max: 20_000_000 }), box: fc.integer({ min: 200, max: 2_000 }) })
  .map(({ count, box }): Tall => ({ rows: count * ROW, box }))
const share = fc.double({ min: 0, max: 1, noNaN: true })

test('a short list scrolls as the browser says', () => {
  const short = { rows: 1_000 * ROW, box: 800 }
  expect(toLaidOut(short)).toBe(short.rows)
  expect(follow(short, { at: 0, bar: 0 }, 12_345)).toEqual({ at: 12_345, bar: 12_345 })
})

test('the ends of the scroll bar are the ends of the rows', () => {
  fc.assert(
    fc.property(tall, share, (list, from) => {
      const most = list.rows - list.box
      const mostBar = toLaidOut(list) - list.box
      const last = { at: from * most, bar: toBar(list, from * most) }
      expect(toBar(list, 0)).toBe(0)
      expect(toBar(list, most)).toBe(mostBar)
      if (last.bar > list.box) expect(follow(list, last, 0).at).toBe(0)
      if (mostBar - last.bar > list.box) expect(follow(list, last, mostBar).at).toBe(most)
    }),
  )
})

test('a drag goes by the share of the scroll bar, and comes out where a jump to that row would', () => {
  fc.assert(
    fc.property(tall, share, (list, to) => {
      const at = to * (list.rows - list.box)
      const bar = toBar(list, at)
      const { at: found } = follow(list, { at: 0, bar: -10 * list.box }, bar)
      expect(Math.abs(found - at)).toBeLessThan(1)
    }),
  )
})

test('small steps move the rows by as many pixels, and the bar never ends before the rows', () => {
  fc.assert(
    fc.property(tall, share, fc.integer({ min: -400, max: 400 }), (list, from, step) => {
      const most = list.rows - list.box
      const mostBar = toLaidOut(list) - list.box
      let position = { at: from * most, bar: toBar(list, from * most) }
      for (let times = 0; times < 200; times++) {
        const bar = Math.min(Math.max(position.bar + Math.sign(step) * Math.min(Math.abs(step), 199), 0), mostBar)
        const next = follow(list, position, bar)
        expect(next.at - position.at).toBeCloseTo(
          Math.min(Math.max(bar - position.bar, -position.at), most - position.at),
          3,
        )
        position = next
      }
      if (position.at > 1_000) expect(position.bar).toBeGreaterThan(0)
      if (most - position.at > 1_000) expect(position.bar).toBeLessThan(mostBar)
    }),
  )
})
