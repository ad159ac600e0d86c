import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WalkPage } from '../model.ts'
import { createWalk } from './walk.ts'

const page = (pass: number, total: number | null, ...keys: number[]): WalkPage => ({
  pass,
  total,
  keys: keys.map(BigInt),
})

function judge(pass: number, ...pages: WalkPage[]) {
  const walk = createWalk()
  let verdict = ''
  let at = 1
  for (const each of pages) {
    if (each.pass !== at) verdict = walk.judgePass(at)
    at = each.pass
    walk.addPage(each)
  }
  verdict = walk.judgePass(pass)
  return verdict
}

test('a list that yields as many different records as it counts is complete', () => {
  expect(judge(1, page(1, 4, 1, 2), page(1, 4, 3, 4))).toBe('complete')
})

test('a list that grows at its end during the reading is complete', () => {
  expect(judge(1, page(1, 4, 1, 2), page(1, 5, 3, 4), page(1, 5, 5))).toBe('complete')
})

test('a record that comes twice means that another was pushed past the walk', () => {
  expect(judge(1, page(1, 4, 1, 2), page(1, 5, 2, 3), page(1, 5, 4))).toBe('read-again')
  expect(judge(2, page(1, 4, 1, 2), page(1, 5, 2, 3), page(1, 5, 4), page(2, 5, 9, 1, 2, 3, 4))).toBe('complete')
})

test('a list that shrinks during the reading may have hidden a record, even if the count is reached', () => {
  // 1 is removed after the first page, and 3 moves to where the walk has already been
  expect(judge(1, page(1, 5, 1, 2), page(1, 4, 4, 5))).toBe('read-again')
  expect(judge(2, page(1, 5, 1, 2), page(1, 4, 4, 5), page(2, 4, 2, 3), page(2, 4, 4, 5))).toBe('complete')
})

test('records seen before a list shrank do not make up for those missing now', () => {
  expect(judge(2, page(1, 5, 1, 2), page(1, 4, 4, 5), page(2, 4, 2, 4))).toBe('read-again')
})

test('a list that permanently repeats a record is complete once two quiet readings agree', () => {
  const reading = (pass: number) => [page(pass, 4, 1, 2), page(pass, 4, 2, 3)]
  expect(judge(1, ...reading(1))).toBe('read-again')
  expect(judge(2, ...reading(1), ...reading(2))).toBe('complete')
})

test('a list that ends early is never complete, however often it does', () => {
  expect(judge(2, page(1, 9, 1, 2), page(1, 9), page(2, 9, 1, 2), page(2, 9))).toBe('read-again')
})

test('a list without a count is complete when nothing came twice', () => {
  expect(judge(1, page(1, null, 1, 2), page(1, null))).toBe('complete')
  expect(judge(1, page(1, null, 1, 2), page(1, null, 2))).toBe('read-again')
})

test('replaying the page ledger gives the same verdict as the walk that wrote it', () => {
  const pages = [page(1, 5, 1, 2), page(1, 4, 4, 5), page(2, 4, 2, 3), page(2, 4, 4, 5)]
  const replayed = createWalk()
  for (const each of pages) replayed.addPage(each)
  expect(replayed.judgePass(2)).toBe(judge(2, ...pages))
})

test('F21: a list called complete has been seen completely, whatever is added and removed between two pages', () => {
  const event = fc.record({ kind: fc.constantFrom('none', 'none', 'none', 'add', 'remove'), at: fc.nat(60) })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(event),
      (size, step, events) => {
        const list = Array.from({ length: size }, (_, index) => BigInt(index))
        let born = size
        const walk = createWalk()
        const seen = new Set<bigint>()
        for (let pass = 1; pass <= 40; pass++) {
          for (let offset = 0; ; ) {
            const keys = list.slice(offset, offset + step)
            walk.addPage({ pass, total: list.length, keys })
            for (const key of keys) seen.add(key)
            offset += keys.length
            if (keys.length === 0 || offset >= list.length) break
            const { kind, at } = events.shift() ?? { kind: 'none', at: 0 }
            if (kind === 'add') list.splice(at % (list.length + 1), 0, BigInt(born++))
            if (kind === 'remove' && list.length > 0) list.splice(at % list.length, 1)
          }
          if (walk.judgePass(pass) === 'complete') {
            expect(list.filter((key) => !seen.has(key))).toEqual([])
            return
          }
        }
        expect.fail('a list that has come to rest is never called complete')
      },
    ),
    { numRuns: 2000 },
  )
})
