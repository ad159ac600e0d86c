import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupBy } from './group-by.ts'
import { describeLookAlikes, foldName } from './look-alikes.ts'

const PLAIN = 'R\u00e9gion Ouest'

test.each([
  ['Re\u0301gion Ouest', 'written with combining accents'],
  [`${PLAIN} `, 'with a trailing blank'],
  [` ${PLAIN}`, 'with a leading blank'],
  [`${PLAIN}  `, 'with 2 trailing blanks'],
  [`${PLAIN}\u00a0`, 'with a trailing no-break blank'],
  ['R\u00e9gion\u00a0Ouest', 'with a no-break blank'],
  ['R\u00e9gion  Ouest', 'with 2 inner blanks'],
  ['R\u00e9gion\u200b Ouest', 'with a zero-width blank'],
  ['R\u00e9gion\u00ad Ouest', 'with a soft hyphen'],
  ['\u200eR\u00e9gion Ouest', 'with a direction mark'],
  ['\uff32\u00e9gion Ouest', 'written with letters of another form'],
  ['Re\u0301gion\u00a0Ouest ', 'with a no-break blank, with a trailing blank, written with combining accents'],
])('says how %j differs from the plain name, and nothing of the plain one', (odd, words) => {
  expect([...describeLookAlikes([PLAIN, odd, 'Sales'])]).toEqual([[odd, words]])
})

test('names apart by case or by a letter do not look alike, nor does a name that is there twice', () => {
  expect(describeLookAlikes(['Sales', 'sales', 'Sale', 'Sales', 'Re\u0301gion ']).size).toBe(0)
})

test('where the words would be the same, every character is shown', () => {
  const [first, second] = ['a\u200bbc', 'ab\u200bc'] as const
  expect([...describeLookAlikes([first, second])]).toEqual([
    [first, 'written a\\u{200b}bc'],
    [second, 'written ab\\u{200b}c'],
  ])
})

const name = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '\u00e9',
      'e',
      '\u0301',
      ' ',
      '\u00a0',
      '\u200b',
      '\u200d',
      '\t',
      '\ufeff',
      '\\',
      '\ufb01',
    ),
    {
      maxLength: 6,
    },
  )
  .map((characters) => characters.join(''))

test('any names that look alike get words of their own, and at most one gets none', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
      const words = describeLookAlikes(names)
      for (const alike of groupBy(names, foldName).values()) {
        const said = alike.map((each) => words.get(each))
        if (alike.length === 1) expect(said).toEqual([undefined])
        expect(new Set(said).size, JSON.stringify(alike)).toBe(alike.length)
      }
    }),
    { seed: 29, numRuns: 2000 },
  )
})

test('folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(name, fc.string({ unit: 'binary' })), (each) => foldName(foldName(each)) === foldName(each)),
    { seed: 29 },
  )
})
