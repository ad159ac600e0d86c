import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameContent } from './json/canonical-text.ts'
import type { DecimalText } from './money.ts'
import { diffRecords, isSameFigure, toMoneyEffect } from './record-diff.ts'

const say = (before: string, after: string) =>
  diffRecords(before, after).map(
    ({ path, before: was, after: is }) => `${path}: ${was.kind} ${was.text} -> ${is.kind} ${is.text}`,
  )

test('names each differing field by its wire path, with both values', () => {
  const before =
    '{"id":"a","total_amount":"10.00","metadata":{"cost_center":"4100","labels":["x"],"travelers":[{"name":"Ana"},{"name":"Bo"}]}}'
  const after =
    '{"id":"a","total_amount":"12.00","metadata":{"cost_center":null,"labels":["x","y"],"travelers":[{"name":"Ana"},{"name":"Bob"}]}}'
  expect(say(before, after)).toEqual([
    'total_amount: text 10.00 -> text 12.00',
    'metadata.cost_center: text 4100 -> null null',
    'metadata.labels[1]: absent  -> text y',
    'metadata.travelers[1].name: text Bo -> text Bob',
  ])
})

test('ignores key order and white space', () => {
  expect(diffRecords('{"a":1,"b":{"c":[1,2],"d":null}}', ' { "b" : { "d":null,\n"c":[1, 2] }, "a": 1 } ')).toEqual([])
})

test('keeps the digits of numbers: integers beyond 2^53 that differ by one are different', () => {
  expect(say('{"trip_id":9007199254740992}', '{"trip_id":9007199254740993}')).toEqual([
    'trip_id: number 9007199254740992 -> number 9007199254740993',
  ])
})

test('marks a figure that is only written differently, also a number that became a text', () => {
  const [change] = diffRecords('{"unit_price":"20"}', '{"unit_price":20.00000000}')
  expect(change).toEqual({
    path: 'unit_price',
    before: { kind: 'text', text: '20' },
    after: { kind: 'number', text: '20.00000000' },
    unit: 'amount',
    difference: '0.00000000',
  })
  expect(change && isSameFigure(change)).toBe(true)
})

test('says what a figure counts and by how much it differs; an id of digits is no figure', () => {
  const [id, rate, price, sum, count] = diffRecords(
    '{"last_4":"0042","tax_percentage":"7","unit_price":"10.5","taxes":[{"total":"1"}],"lines":{"total":8}}',
    '{"last_4":"42","tax_percentage":"19.00","unit_price":"x","taxes":[{"total":"3.25"}],"lines":{"total":7}}',
  )
  expect(id).toMatchObject({ unit: null, difference: null })
  expect(id && isSameFigure(id)).toBe(false)
  expect(rate).toMatchObject({ unit: 'percent', difference: '12.00' })
  expect(price).toMatchObject({ unit: 'amount', difference: null })
  expect(sum).toMatchObject({ path: 'taxes[0].total', unit: 'amount', difference: '2.25' })
  expect(count).toMatchObject({ path: 'lines.total', unit: 'number', difference: '-1' })
})

test('distinguishes null, an empty text and a missing member', () => {
  expect(say('{"a":null,"b":"","c":1}', '{"a":"","b":null}')).toEqual([
    'a: null null -> text ',
    'b: text  -> null null',
    'c: number 1 -> absent ',
  ])
})

test('an element put in front of a list moves none of the others', () => {
  expect(say('{"l":["b","c"]}', '{"l":["a","b","c"]}')).toEqual(['l[0]: absent  -> text a'])
  expect(say('{"l":["a","b","c"]}', '{"l":["a","c"]}')).toEqual(['l[1]: text b -> absent '])
})

test('the last of repeated keys counts, and __proto__ is a member like any other', () => {
  expect(say('{"a":1,"a":2}', '{"a":2}')).toEqual([])
  expect(say('{"__proto__":{"x":1}}', '{"__proto__":{"x":2}}')).toEqual(['__proto__.x: number 1 -> number 2'])
  expect(say('{}', '{"__proto__":1,"toString":2}')).toEqual([
    '__proto__: absent  -> number 1',
    'toString: absent  -> number 2',
  ])
})

test('quotes a key that could be mistaken for a path', () => {
  expect(say('{}', '{"a.b":1,"":2}')).toEqual(['"a.b": absent  -> number 1', '"": absent  -> number 2'])
})

test('no record differs from itself, and different records are never called equal', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.json({ maxDepth: 3 }), (a, b) => {
      expect(diffRecords(a, a)).toEqual([])
      expect(diffRecords(a, b).length === 0).toBe(isSameContent(a, b))
    }),
    { numRuns: 500 },
  )
})

test('the money effect is exact, and there is none across currencies', () => {
  const amount = (text: string, currency = 'EUR') => ({ amount: text as DecimalText, currency })
  expect(toMoneyEffect(amount('100.1'), amount('99.95'))).toEqual({ currency: 'EUR', difference: '-0.15' })
  expect(toMoneyEffect(amount('100.1'), amount('100.10'))).toEqual({ currency: 'EUR', difference: '0.00' })
  expect(toMoneyEffect(amount('1', 'EUR'), amount('1', 'USD'))).toBeNull()
})
