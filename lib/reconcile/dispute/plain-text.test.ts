import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countColumns, cutText, isolate, toHarmlessLine, wrapText } from './plain-text.ts'

test.each([
  ['line breaks', 'Hotel\r\nBcc: a@b.c\u2028x', 'Hotel Bcc: a@b.c x'],
  ['control characters', 'Ho\u0000tel\u0007\u001b[31m', 'Hotel[31m'],
  ['marks that turn text', 'Hotel \u202e00.14\u202c \u2066x\u2069', 'Hotel 00.14 x'],
  ['hidden characters', 'Ho\u200btel\u00ad \ufeff \u{e0041}', 'Hotel'],
  ['half a character', 'a\ud800b', 'a\ufffdb'],
  ['odd blanks', '\u00a0a\u3000\t b\u202f', 'a b'],
])('takes %s out of a text', (_, text, harmless) => {
  expect(toHarmlessLine(text)).toBe(harmless)
})

test('keeps letters of every script, and emoji in one piece', () => {
  for (const text of ['Zürich – “Löwen”', '東京ホテル', 'می‌خواهم', '👩‍💻 ☕️', '½ día'])
    expect(toHarmlessLine(text)).toBe(text)
})

test('letters from right to left stand apart, others as they are', () => {
  expect(isolate('שלום')).toBe('\u2068שלום\u2069')
  expect(isolate('Hotel')).toBe('Hotel')
})

test('a cut text says so, and parts no letter from its accent', () => {
  expect(cutText('Late check-out', 14)).toBe('Late check-out')
  expect(cutText('Late check-out', 6)).toBe('Late\u2026')
  expect(cutText('abce\u0301f', 5)).toBe('abc\u2026')
})

test('no wrapped line is longer than it may be, and nothing is lost', () => {
  // any character, every sixth a blank
  const text = fc
    .array(fc.nat({ max: 0x10ffff }), { maxLength: 200 })
    .map((codes) => toHarmlessLine(codes.map((code) => (code % 6 === 0 ? ' ' : String.fromCodePoint(code))).join('')))
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 78 }), (text, columns) => {
      const lines = wrapText(text, columns)
      expect(Math.max(...lines.map(countColumns))).toBeLessThanOrEqual(columns)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }),
  )
})
