import { expect, test } from 'vitest'
import { isSeenAddress, lineOf, oneLine } from './one-line.ts'

test.each([
  ['a line break', 'Ada\nLovelace'],
  ['a control character', 'Ada\u0007'],
  ['a mark of direction', 'Ada\u202e'],
  ['an isolate', 'Ada\u2066'],
  ['half a character', 'Ada\ud800'],
  ['a soft hyphen', 'A\u00adda'],
  ['a blank without width', 'A\u200bda'],
  ['a joiner where it is not seen', 'A\u200dda'],
  ['a variant where it is not seen', 'A\ufe0fda'],
  ['a byte order mark within', 'A\ufeffda'],
  ['a filler', 'Ada\u3164'],
  ['nothing but what nobody sees', '\u200b'],
  ['nothing', '  '],
])('A14: a name with %s is refused', (_, name) => {
  expect(oneLine.safeParse(name).success).toBe(false)
})

test.each([
  'Ada Lovelace',
  'Łukasz O’Neill-Ibáñez',
  'نازنین‌زهرا',
  'क्‍ष',
  '山田 太郎',
  'Travel ✈️',
  '👩‍🚀 Crew',
  'E\u0301mile',
])('takes the name %s', (name) => {
  expect(oneLine.parse(` ${name} `)).toBe(name)
})

test('a name has at most as many characters as its column', () => {
  expect(lineOf(3).safeParse('abc').success).toBe(true)
  expect(lineOf(3).safeParse('abcd').success).toBe(false)
})

test('A14: an address with something that nobody sees is none', () => {
  expect(['ops@example.com', 'björn@example.com'].map(isSeenAddress)).toEqual([true, true])
  for (const unseen of ['\u00ad', '\u200b', '\u200d', '\u202e', '\ud800', '\u00a0', '\0'])
    expect(isSeenAddress(`ops@example.com${unseen}`), JSON.stringify(unseen)).toBe(false)
})
